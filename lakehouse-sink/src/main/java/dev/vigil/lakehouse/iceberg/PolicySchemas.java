package dev.vigil.lakehouse.iceberg;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredSchema;
import dev.vigil.lakehouse.PolicyTypes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What each policy version declared. Kept in the table's properties, since a schema record stands far before the records
 * from which a restarted sink reads on; the newest few only. One thread.
 */
final class PolicySchemas {
    static final String PREFIX = "vigil.schema.";
    static final int KEPT = 20;

    private record Key(String policy, int version) {
        String property() {
            return PREFIX + policy + "." + version;
        }
    }

    /** In the order of declaration. */
    private final Map<Key, ScoredSchema> schemas = new LinkedHashMap<>();

    private final Map<Key, PolicyTypes> types = new HashMap<>();

    void restore(Map<String, String> properties) {
        schemas.clear();
        types.clear();
        properties.entrySet().stream()
                .filter(property -> property.getKey().startsWith(PREFIX))
                .map(property -> decode(property.getKey(), property.getValue()))
                .sorted((a, b) -> Integer.compare(a.policyVersion(), b.policyVersion()))
                .forEach(this::declare);
    }

    private static ScoredSchema decode(String property, String text) {
        try {
            return Json.mapper().readValue(text, ScoredSchema.class);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("table property " + property + ": expected the JSON of a schema", e);
        }
    }

    void declare(ScoredSchema schema) {
        Key key = new Key(schema.policy(), schema.policyVersion());
        schemas.remove(key);
        schemas.put(key, schema);
        types.put(key, PolicyTypes.of(schema));
        while (schemas.size() > KEPT) {
            Key oldest = schemas.keySet().iterator().next();
            schemas.remove(oldest);
            types.remove(oldest);
        }
    }

    PolicyTypes types(String policy, int version) {
        return types.getOrDefault(new Key(policy, version), PolicyTypes.UNDECLARED);
    }

    /** Properties to set, or with no value to remove, so that {@link #restore} finds what is known now. */
    Map<String, @Nullable String> changes(Map<String, String> properties) {
        Map<String, @Nullable String> changes = new HashMap<>();
        properties.keySet().stream().filter(key -> key.startsWith(PREFIX)).forEach(key -> changes.put(key, null));
        schemas.forEach((key, schema) -> {
            String text = encode(schema);
            if (text.equals(properties.get(key.property()))) {
                changes.remove(key.property());
            } else {
                changes.put(key.property(), text);
            }
        });
        return changes;
    }

    /** Without the position: schemas of all partitions are the same but for that. */
    private static String encode(ScoredSchema schema) {
        try {
            return Json.mapper()
                    .writeValueAsString(new ScoredSchema(
                            schema.policy(),
                            schema.policyVersion(),
                            schema.currency(),
                            schema.currencyDigits(),
                            ANYWHERE,
                            schema.fields(),
                            schema.features()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a schema cannot be written as JSON", e);
        }
    }

    private static final dev.vigil.event.SourcePosition ANYWHERE = new dev.vigil.event.SourcePosition("any", 0, 0);
}
