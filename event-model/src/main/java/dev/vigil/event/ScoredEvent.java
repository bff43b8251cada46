package dev.vigil.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One record of {@code vigil.scored}: an event with its features, rule hits and decision.
 *
 * <p>A function of the log alone, so the same log gives the same bytes again; decision time is therefore not in it but
 * is the Kafka record's own time. After a crash a record may come again with equal content: drop it by {@link #position},
 * which never falls within a partition of the log, and at equal positions by revision, source and id.
 *
 * @param eventTimeUs business time, µs since the epoch
 * @param ingestTimeMs when the broker appended the record at {@link #position} to the log, ms since the epoch
 * @param backfill from a CDC snapshot or a load of history: scored, never alerts
 * @param revision 0; in a correction of an earlier record of the same event, by how many offsets the late event that
 *     caused it stands behind the event in the log, so that it rises from correction to correction
 * @param position of the event; in a correction, of the late event that caused it
 * @param fields the event's fields, in the order in which the policy declares them; absent ones are left out
 * @param features by name, in policy order; absent ones are left out; value types as in {@link FieldType}, except that
 *     decoding alone cannot tell MONEY and TIMESTAMP from DOUBLE and LONG: {@link ScoredSchema} does
 */
public record ScoredEvent(
        String eventId,
        String source,
        String type,
        String account,
        long eventTimeUs,
        long ingestTimeMs,
        boolean backfill,
        long revision,
        SourcePosition position,
        String policy,
        int policyVersion,
        int score,
        Decision decision,
        Map<String, Object> fields,
        Map<String, Object> features,
        List<RuleHit> rules,
        List<RuleHit> shadowRules) {
    public ScoredEvent {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
        rules = List.copyOf(rules);
        shadowRules = List.copyOf(shadowRules);
    }

    /**
     * Tells this record apart from the others of its {@link #position}, for readers that drop repeats. History keeps it, so
     * it stays as it is from version to version.
     */
    public String keyAtPosition() {
        return keyAtPosition(revision, source, eventId);
    }

    /** The same of a record's parts. An event's own score, of which a position has one, has the empty key. */
    public static String keyAtPosition(long revision, String source, String eventId) {
        return revision == 0 ? "" : revision + "#" + source + "#" + eventId;
    }
}
