package dev.vigil.cdc;

import dev.vigil.event.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A table's columns as its database declares them, held against what is mapped of them and what the policy declares.
 *
 * @param columns by name
 * @param typesFor names the database's types whose values can become a field of a type
 */
public record DeclaredColumns(String table, Map<String, Column> columns, Function<FieldType, String> typesFor) {

    /**
     * A column.
     *
     * @param type as the database prints it, {@code numeric(12,2)}
     * @param kind absent for what no event's field can hold
     * @param scale digits after the point of a decimal; -1 if it has no limit, and for other kinds
     */
    public record Column(String type, @Nullable ColumnKind kind, int scale) {}

    /** What is wrong with the mapped columns, the first of it; empty if nothing is. */
    public Optional<String> complaint(TableMapping mapping, List<String> primaryKey) {
        for (String name : mapping.columns()) {
            Column column = columns.get(name);
            if (column == null) {
                return Optional.of("expected column " + name + " in table " + table + " (cdc.tables), found "
                        + String.join(", ", columns.keySet()));
            }
            if (column.kind() == null) {
                return Optional.of("expected a scalar column that an event's field can hold, found " + table + "."
                        + name + " to be " + column.type());
            }
        }
        Column time = timeColumn(mapping).map(columns::get).orElse(null);
        if (time != null && time.kind() != null && !time.kind().isTime()) {
            return Optional.of("expected the time column " + table + "."
                    + timeColumn(mapping).orElseThrow() + " to be " + typesFor.apply(FieldType.TIMESTAMP) + ", found "
                    + time.type());
        }
        if (primaryKey.isEmpty() && mapping.id().isEmpty()) {
            return Optional.of("expected a primary key on " + table
                    + ", found none; add one, or name the identity's columns with 'id' in cdc.tables");
        }
        return Optional.empty();
    }

    private static Optional<String> timeColumn(TableMapping mapping) {
        if (mapping instanceof EventTable events) {
            return Optional.of(events.time());
        }
        if (mapping instanceof LabelTable labels) {
            return Optional.of(labels.time());
        }
        return mapping instanceof ReferenceTable reference ? Optional.ofNullable(reference.time()) : Optional.empty();
    }

    /** One line for each mapped column that cannot become the field that the policy declares, and for an unknown event. */
    public List<String> misfits(TableMapping mapping, DeclaredFields declared) {
        Map<String, FieldType> types = declared.of(mapping);
        List<String> misfits = new ArrayList<>();
        declared.unknownEvent(mapping).ifPresent(misfits::add);
        DeclaredFields.columnByField(mapping).forEach((field, name) -> {
            FieldType type = types.get(field);
            Column column = columns.get(name);
            if (type != null
                    && column != null
                    && column.kind() != null
                    && !column.kind().canBecome(type, column.scale())) {
                misfits.add("expected column " + table + "." + name + " to be " + typesFor.apply(type)
                        + ", since the policy declares field " + field + " as " + type.label() + ", found "
                        + column.type());
            }
        });
        return misfits;
    }
}
