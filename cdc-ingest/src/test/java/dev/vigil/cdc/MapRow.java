package dev.vigil.cdc;

import dev.vigil.event.DeadLetter.Reason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A row written down in a test. */
record MapRow(Map<String, ColumnValue> values) implements Row {

    static MapRow of(String column, ColumnValue value) {
        return new MapRow(Map.of(column, value));
    }

    MapRow with(String column, ColumnValue value) {
        Map<String, ColumnValue> more = new LinkedHashMap<>(values);
        more.put(column, value);
        return new MapRow(more);
    }

    @Override
    public List<String> columns() {
        return List.copyOf(values.keySet());
    }

    @Override
    public ColumnValue column(String name) {
        return values.getOrDefault(name, new ColumnValue.Unusable(Reason.BAD_FIELD, "no such column"));
    }
}
