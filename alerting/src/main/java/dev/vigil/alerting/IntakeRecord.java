package dev.vigil.alerting;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record that alerting takes, as it stands in its topic.
 *
 * @param timestampMs that its producer gave it, ms since the epoch
 */
public record IntakeRecord(
        Kind kind,
        int partition,
        long offset,
        long timestampMs,
        byte @Nullable [] key,
        byte[] value,
        Map<String, byte[]> headers) {
    /** Which topic it stands in; an account's records have the same partition number in both. */
    public enum Kind {
        ALERT,
        /** Of somebody on a case. */
        ACTION;

        /** For people. */
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public IntakeRecord {
        headers = Map.copyOf(headers);
    }
}
