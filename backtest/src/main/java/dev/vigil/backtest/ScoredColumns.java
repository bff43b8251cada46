package dev.vigil.backtest;

import dev.vigil.config.ConfigException;
import dev.vigil.event.FieldType;
import dev.vigil.event.ScoredSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The columns of the table of scored events: a few of every policy, then each feature under its own name.
 *
 * @param fixed how many of them are not features
 * @param moneyDigits decimals of MONEY columns
 */
public record ScoredColumns(List<Column> columns, int fixed, int moneyDigits) {
    public record Column(String name, FieldType type) {}

    public ScoredColumns {
        columns = List.copyOf(columns);
    }

    /** @throws ConfigException if a feature has the name of another column, looked at without case, as SQL does */
    public static ScoredColumns of(ScoredSchema schema, boolean withBaseline) {
        List<Column> columns = new ArrayList<>(List.of(
                new Column("event_id", FieldType.STRING),
                new Column("account", FieldType.STRING),
                new Column("event_time", FieldType.TIMESTAMP),
                new Column("score", FieldType.LONG),
                new Column("decision", FieldType.STRING),
                new Column("rules", FieldType.STRING)));
        if (withBaseline) {
            columns.add(new Column("baseline_score", FieldType.LONG));
            columns.add(new Column("baseline_decision", FieldType.STRING));
        }
        int fixed = columns.size();
        Map<String, String> taken = new HashMap<>();
        columns.forEach(column -> taken.put(column.name(), column.name()));
        schema.features().forEach((name, type) -> {
            String other = taken.put(name.toLowerCase(Locale.ROOT), name);
            if (other != null) {
                throw new ConfigException("policy " + schema.policy() + ": features." + name
                        + ": the table of scored events has a column '" + other
                        + "' already; expected a name that differs in more than case");
            }
            columns.add(new Column(name, type));
        });
        return new ScoredColumns(columns, fixed, schema.currencyDigits());
    }

    public List<String> names() {
        return columns.stream().map(Column::name).toList();
    }
}
