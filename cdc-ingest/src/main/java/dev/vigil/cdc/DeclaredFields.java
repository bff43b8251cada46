package dev.vigil.cdc;

import dev.vigil.config.NearestName;
import dev.vigil.event.FieldType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a policy declares of events and references.
 *
 * @param policy its name and version, for messages
 * @param events types by field, by event type
 * @param references types by field, by name of the reference
 * @param maxFutureSkew by which an event may be ahead of its time
 */
public record DeclaredFields(
        String policy,
        Map<String, Map<String, FieldType>> events,
        Map<String, Map<String, FieldType>> references,
        Duration maxFutureSkew) {

    /** What a policy allows that does not say. */
    public static final Duration USUAL_FUTURE_SKEW = Duration.ofMinutes(5);

    /** Of a policy with {@link #USUAL_FUTURE_SKEW}. */
    public DeclaredFields(
            String policy, Map<String, Map<String, FieldType>> events, Map<String, Map<String, FieldType>> references) {
        this(policy, events, references, USUAL_FUTURE_SKEW);
    }

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

    /** What the policy would not know of a table's events; empty if it knows all, or the table gives none. */
    public Optional<String> unknownEvent(TableMapping mapping) {
        if (!(mapping instanceof EventTable table) || events.containsKey(table.type())) {
            return Optional.empty();
        }
        String hint = NearestName.of(table.type(), events.keySet())
                .map(nearest -> ", did you mean '" + nearest + "'?")
                .orElse("");
        return Optional.of("expected table " + table.table() + " to give events that the policy declares, found '"
                + table.type() + "'" + hint);
    }

    /** Mapped fields that the policy does not declare, so that nothing reads them. */
    public List<String> unreadFields(TableMapping mapping) {
        Set<String> declared = of(mapping).keySet();
        return columnByField(mapping).keySet().stream()
                .filter(field -> !declared.contains(field))
                .toList();
    }

    /** Column by field of what the table gives. */
    public static Map<String, String> columnByField(TableMapping mapping) {
        if (mapping instanceof EventTable table) {
            return table.fields();
        }
        return mapping instanceof ReferenceTable table ? table.fields() : Map.of();
    }
}
