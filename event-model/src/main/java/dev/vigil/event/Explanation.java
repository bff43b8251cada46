package dev.vigil.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why an event was scored as it was: what each feature is made of and what each rule read, as of the event's place in the
 * log. Made again from the state, so a part of it can have changed since; that part carries doubts.
 *
 * @param eventTimeUs business time, µs since the epoch
 * @param policy that scored it
 * @param exact whether no part has a doubt: all values are those of the scored record
 * @param later what came after it in the log and lies within its windows; absent where nothing did
 * @param completenessUnknown why no feature says since when it is complete; absent where each that reads a window does
 * @param fields of the event, as in {@link ScoredEvent}
 * @param features all of the policy's, in its order
 * @param rules all of the policy's, in its order, hit or not
 */
public record Explanation(
        String eventId,
        String source,
        String type,
        String account,
        long eventTimeUs,
        SourcePosition position,
        String policy,
        int policyVersion,
        String currency,
        boolean exact,
        int score,
        Decision decision,
        @Nullable Later later,
        @Nullable String completenessUnknown,
        Map<String, Object> fields,
        List<Feature> features,
        List<Rule> rules) {
    public Explanation {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        features = List.copyOf(features);
        rules = List.copyOf(rules);
    }

    /** Why a value may differ from that of the scored record. */
    public enum Doubt {
        /** Events of the window may have left the state since. */
        FORGOTTEN,
        /** Labels count as they are now; some may have come, or gone, since. */
        LABELS,
        /** A reference row is another now than it was, or is not there. */
        REFERENCE,
        /** A field of that policy has been given up since. */
        FIELDS;

        private final String label = name().toLowerCase(java.util.Locale.ROOT);

        @com.fasterxml.jackson.annotation.JsonValue
        public String label() {
            return label;
        }
    }

    /**
     * What became known after the event was scored: events that stand behind it in the log and are not later in time. With
     * {@code late: update} the late ones among them corrected its score, and history's record with the highest revision holds.
     *
     * @param events how many, within reach of the policy's windows
     * @param score over all that is known now, by the same policy
     * @param decision likewise
     */
    public record Later(long events, int score, Decision decision) {}

    /**
     * A feature.
     *
     * @param value absent where the feature is
     * @param completeSinceUs event time since which the window is known as a whole under the policy that scored the event,
     *     µs; absent where the feature reads no window, and where that is not known
     * @param window absent for a computed feature
     * @param reads what a computed feature reads, by name, each where it is present
     */
    public record Feature(
            String name,
            FieldType type,
            @Nullable Object value,
            @Nullable Long completeSinceUs,
            @Nullable Window window,
            @Nullable Map<String, Object> reads,
            List<Doubt> doubts) {
        public Feature {
            reads = reads == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(reads));
            doubts = List.copyOf(doubts);
        }
    }

    /**
     * What a windowed feature looked at.
     *
     * @param fromUs where it begins, itself not part of it
     * @param toUs where it ends, itself part of it
     * @param count of the contributing events
     * @param events in time order, ties in log order; of many the first and the last ones
     */
    public record Window(String eventType, long fromUs, long toUs, long count, List<Contributor> events) {
        public Window {
            events = List.copyOf(events);
        }

        /** How many are left out between the first and the last ones. */
        public long leftOut() {
            return count - events.size();
        }
    }

    /**
     * An event that a feature's value is made of.
     *
     * @param offset in the log, in the explained event's partition
     * @param value of the aggregated field or label; absent where the aggregate looks at the event alone
     */
    public record Contributor(
            String source,
            String eventId,
            long eventTimeUs,
            long offset,
            @Nullable Object value) {}

    /**
     * A rule.
     *
     * @param values what it reads, by name, each where it is present
     */
    public record Rule(
            String rule,
            boolean hit,
            boolean shadow,
            int score,
            String reason,
            Map<String, Object> values,
            List<Doubt> doubts) {
        public Rule {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
            doubts = List.copyOf(doubts);
        }
    }
}
