package dev.vigil.event;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One record of {@code vigil.deliveries}: an attempt to deliver an alert and what came of it, or its suppression.
 *
 * @param position of the event behind the alert in the log
 * @param endpoint name of the endpoint; absent for a suppressed alert
 * @param attempt 1 for the first; 0 for a suppressed alert
 * @param statusCode of the answer; absent where there was none
 * @param detail reason of a failure in one line, without secrets; or why the alert was suppressed, and its case
 * @param attemptedAtMs when the attempt began, ms since the epoch
 */
public record Delivery(
        String alertId,
        String account,
        SourcePosition position,
        long eventTimeUs,
        long ingestTimeMs,
        @Nullable String endpoint,
        int attempt,
        Outcome outcome,
        @Nullable Integer statusCode,
        @Nullable String detail,
        long attemptedAtMs,
        long durationMs) {

    /** What came of it. */
    public enum Outcome {
        /** The receiver answered 2xx. */
        DELIVERED,
        /** It did not; another attempt follows. */
        FAILED,
        /** It did not, and no further attempt follows. */
        GIVEN_UP,
        /** Not sent: its group cools down, its case is snoozed, or only quiet rules hit. */
        SUPPRESSED;

        @JsonValue
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        @JsonCreator
        static Outcome parse(String label) {
            return valueOf(label.toUpperCase(Locale.ROOT));
        }
    }
}
