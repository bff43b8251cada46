package dev.vigil.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Types of the scored events that follow in this partition of {@code vigil.scored}, until the next such record. The
 * engine writes one when a policy becomes active ({@link RecordKinds#SCHEMA}), before the first event scored by it.
 *
 * @param currency ISO 4217 code of every MONEY value
 * @param fields of all event types together, by name
 * @param completeSinceUs event time since which a feature's window is known as a whole, µs, by feature; of those that read
 *     a window. Absent while the partition had no event yet
 */
public record ScoredSchema(
        String policy,
        int policyVersion,
        String currency,
        int currencyDigits,
        SourcePosition position,
        Map<String, FieldType> fields,
        Map<String, FieldType> features,
        @Nullable Map<String, Long> completeSinceUs) {
    public ScoredSchema {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
        completeSinceUs =
                completeSinceUs == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(completeSinceUs));
    }

    /** Types alone. */
    public ScoredSchema(
            String policy,
            int policyVersion,
            String currency,
            int currencyDigits,
            SourcePosition position,
            Map<String, FieldType> fields,
            Map<String, FieldType> features) {
        this(policy, policyVersion, currency, currencyDigits, position, fields, features, null);
    }
}
