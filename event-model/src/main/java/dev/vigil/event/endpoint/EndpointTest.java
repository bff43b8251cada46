package dev.vigil.event.endpoint;

import org.jspecify.annotations.Nullable;

/**
 * What came of a test message.
 *
 * @param messageId as the receiver saw it
 * @param accepted answered with 2xx
 * @param statusCode absent where no answer came
 * @param problem one line, without address or secret; absent where it was accepted
 */
public record EndpointTest(
        String messageId,
        boolean accepted,
        @Nullable Integer statusCode,
        long durationMs,
        @Nullable String problem) {}
