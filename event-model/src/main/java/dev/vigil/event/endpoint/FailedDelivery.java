package dev.vigil.event.endpoint;

import org.jspecify.annotations.Nullable;

/**
 * A delivery that was given up, and that the endpoint has not accepted since.
 *
 * @param attempts that were made; 0 where none was
 * @param statusCode of the last answer; absent where there was none
 * @param reason one line, without address or secret
 * @param givenUpAtMs ms since the epoch
 */
public record FailedDelivery(
        String alertId,
        String account,
        String endpoint,
        int attempts,
        @Nullable Integer statusCode,
        @Nullable String reason,
        long eventTimeUs,
        long givenUpAtMs) {}
