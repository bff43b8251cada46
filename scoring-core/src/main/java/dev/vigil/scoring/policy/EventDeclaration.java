package dev.vigil.scoring.policy;

import dev.vigil.event.FieldType;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A business event type.
 *
 * @param account key in the event's data that must equal its subject where it is given; {@code account_id} by default
 * @param fields by their key in the event's data, in declared order; all optional in an event
 */
public record EventDeclaration(String type, String account, Map<String, FieldType> fields) {
    public EventDeclaration {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    public List<String> fieldNames() {
        return List.copyOf(fields.keySet());
    }
}
