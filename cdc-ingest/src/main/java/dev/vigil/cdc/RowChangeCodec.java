package dev.vigil.cdc;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Row changes as bytes, for those that wait across a restart. What is read back maps to the same records. */
public final class RowChangeCodec {

    private RowChangeCodec() {}

    public static byte[] encode(RowChange change) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("op", change.operation().name());
        json.put("table", change.table());
        json.put("lsn", change.lsn());
        json.put("us", change.committedUs());
        put(json, "key", change.key());
        put(json, "before", change.before());
        put(json, "after", change.after());
        return Json.encode(json);
    }

    private static void put(ObjectNode json, String name, @Nullable Row row) {
        if (row == null) {
            return;
        }
        ArrayNode columns = json.putArray(name);
        for (String column : row.columns()) {
            write(columns.addArray().add(column), row.column(column));
        }
    }

    private static void write(ArrayNode to, ColumnValue value) {
        if (value instanceof ColumnValue.Text text) {
            to.add("t").add(text.text());
        } else if (value instanceof ColumnValue.Decimal decimal) {
            to.add("d").add(decimal.text());
        } else if (value instanceof ColumnValue.Whole whole) {
            to.add("w").add(whole.value());
        } else if (value instanceof ColumnValue.Floating floating) {
            to.add("f").add(Double.toString(floating.value()));
        } else if (value instanceof ColumnValue.Flag flag) {
            to.add("b").add(flag.value());
        } else if (value instanceof ColumnValue.Time time) {
            to.add("s").add(time.timeUs());
        } else if (value instanceof ColumnValue.Unusable unusable) {
            to.add("u").add(unusable.reason().name()).add(unusable.found());
        } else if (value instanceof ColumnValue.Card card) {
            to.add("c");
            write(to.addArray().add(""), card.published());
            card.names().forEach(to::add);
        } else {
            to.add(value instanceof ColumnValue.Unchanged ? "=" : "n");
        }
    }

    /** @throws UncheckedIOException if the bytes are none of {@link #encode} */
    public static RowChange decode(byte[] bytes) {
        JsonNode json;
        try {
            json = Json.mapper().readTree(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RowChange(
                RowChange.Operation.valueOf(json.required("op").textValue()),
                json.required("table").textValue(),
                row(json.get("key")),
                row(json.get("before")),
                row(json.get("after")),
                json.required("lsn").longValue(),
                json.required("us").longValue());
    }

    private static @Nullable Row row(@Nullable JsonNode columns) {
        if (columns == null) {
            return null;
        }
        Map<String, ColumnValue> values = new LinkedHashMap<>();
        columns.forEach(column -> values.put(column.get(0).textValue(), value(column)));
        return new StoredRow(values);
    }

    private static ColumnValue value(JsonNode column) {
        String kind = column.get(1).textValue();
        return switch (kind) {
            case "t" -> new ColumnValue.Text(column.get(2).textValue());
            case "d" -> new ColumnValue.Decimal(column.get(2).textValue());
            case "w" -> new ColumnValue.Whole(column.get(2).longValue());
            case "f" ->
                new ColumnValue.Floating(Double.parseDouble(column.get(2).textValue()));
            case "b" -> new ColumnValue.Flag(column.get(2).booleanValue());
            case "s" -> new ColumnValue.Time(column.get(2).longValue());
            case "u" ->
                new ColumnValue.Unusable(
                        Reason.valueOf(column.get(2).textValue()), column.get(3).textValue());
            case "c" -> card(column);
            case "=" -> new ColumnValue.Unchanged();
            case "n" -> new ColumnValue.Null();
            default -> throw new IllegalArgumentException("expected a kind of column value, found " + kind);
        };
    }

    private static ColumnValue card(JsonNode column) {
        List<String> names = new ArrayList<>();
        for (int i = 3; i < column.size(); i++) {
            names.add(column.get(i).textValue());
        }
        return new ColumnValue.Card(value(column.get(2)), names);
    }

    /** A row with these columns only. */
    static @Nullable Row reduced(@Nullable Row row, java.util.Set<String> columns) {
        if (row == null) {
            return null;
        }
        Map<String, ColumnValue> values = new LinkedHashMap<>();
        List<String> kept = new ArrayList<>(row.columns());
        kept.retainAll(columns);
        kept.forEach(column -> values.put(column, row.column(column)));
        return new StoredRow(values);
    }

    private record StoredRow(Map<String, ColumnValue> values) implements Row {
        @Override
        public List<String> columns() {
            return List.copyOf(values.keySet());
        }

        @Override
        public ColumnValue column(String name) {
            ColumnValue value = values.get(name);
            return value == null ? ColumnValue.Unusable.noSuchColumn() : value;
        }
    }
}
