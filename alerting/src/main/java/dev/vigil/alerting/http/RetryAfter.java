package dev.vigil.alerting.http;

import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The {@code Retry-After} header: seconds, or an HTTP date. */
final class RetryAfter {
    private RetryAfter() {}

    /** From now in ms, never negative; empty if the header is absent or neither form. */
    static OptionalLong parseMs(@Nullable String header, long nowMs) {
        if (header == null) {
            return OptionalLong.empty();
        }
        String text = header.trim();
        if (text.matches("\\d{1,12}")) {
            return OptionalLong.of(Long.parseLong(text) * 1_000);
        }
        try {
            long atMs = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant()
                    .toEpochMilli();
            return OptionalLong.of(Math.max(0, atMs - nowMs));
        } catch (DateTimeException e) {
            // A receiver may write nonsense; our own back-off holds then.
            return OptionalLong.empty();
        }
    }
}
