package dev.vigil.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One record of {@code vigil.summaries}: what an account's events in one tumbling window come to. A function of the log
 * alone. After a crash it may come again: drop it by {@link #position}, which never falls within a partition of the log,
 * and at equal positions by {@link #index}, which rises.
 *
 * @param summary its name in the policy
 * @param windowStartUs first instant of the window, µs since the epoch
 * @param windowEndUs first instant behind it
 * @param revision 0; where the result corrects an earlier one, the offset of the event that changed it
 * @param position of the log record with which it was told
 * @param index among the results of this position, from 0
 * @param currency ISO 4217 code of every amount
 * @param values by name, in policy order; absent ones are left out
 */
public record Summary(
        String summary,
        String account,
        long windowStartUs,
        long windowEndUs,
        long revision,
        SourcePosition position,
        long index,
        String policy,
        int policyVersion,
        String currency,
        Map<String, Object> values) {
    public Summary {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /**
     * Tells this record apart from the others of its {@link #position}, for readers that drop repeats. History keeps it, so
     * it stays as it is from version to version.
     */
    public String keyAtPosition() {
        return keyAtPosition(index);
    }

    /** The same of a record's part. */
    public static String keyAtPosition(long index) {
        return Long.toString(index);
    }
}
