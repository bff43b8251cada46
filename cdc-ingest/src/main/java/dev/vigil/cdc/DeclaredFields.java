package dev.vigil.cdc;

import dev.vigil.event.FieldType;
import java.util.Map;

/**
 * The fields that a policy declares.
 *
 * @param policy its name and version, for messages
 * @param events types by field, by event type
 * @param references types by field, by name of the reference
 */
public record DeclaredFields(
        String policy, Map<String, Map<String, FieldType>> events, Map<String, Map<String, FieldType>> references) {

    public DeclaredFields {
        events = Map.copyOf(events);
        references = Map.copyOf(references);
    }

    /** The declared fields of what the table gives; empty if the policy does not know it. */
    public Map<String, FieldType> of(TableMapping mapping) {
        if (mapping instanceof EventTable table) {
            return events.getOrDefault(table.type(), Map.of());
        }
        return mapping instanceof ReferenceTable table ? references.getOrDefault(table.name(), Map.of()) : Map.of();
    }

    /** Column by field of what the table gives. */
    public static Map<String, String> columnByField(TableMapping mapping) {
        if (mapping instanceof EventTable table) {
            return table.fields();
        }
        return mapping instanceof ReferenceTable table ? table.fields() : Map.of();
    }
}
