package dev.vigil.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Types of the scored events that follow in this partition of {@code vigil.scored}, until the next such record. The
 * engine writes one when a policy becomes active ({@link RecordKinds#SCHEMA}), before the first event scored by it.
 *
 * @param currency ISO 4217 code of every MONEY value
 * @param fields of all event types together, by name
 */
public record ScoredSchema(
        String policy,
        int policyVersion,
        String currency,
        int currencyDigits,
        SourcePosition position,
        Map<String, FieldType> fields,
        Map<String, FieldType> features) {
    public ScoredSchema {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        features = Collections.unmodifiableMap(new LinkedHashMap<>(features));
    }
}
