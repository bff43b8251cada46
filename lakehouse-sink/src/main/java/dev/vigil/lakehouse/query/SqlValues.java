package dev.vigil.lakehouse.query;

import java.sql.Array;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBStruct;
import org.jspecify.annotations.Nullable;

/** Values of DuckDB's driver as the plain values of {@link QueryResult}. */
final class SqlValues {
    private SqlValues() {}

    static @Nullable Object plain(@Nullable Object value) throws SQLException {
        if (value == null
                || value instanceof String
                || value instanceof Boolean
                || value instanceof LocalDate
                || value instanceof LocalTime) {
            return value;
        }
        if (value instanceof Short || value instanceof Byte) {
            return ((Number) value).intValue();
        }
        if (value instanceof Number) {
            return value;
        }
        if (value instanceof OffsetDateTime time) {
            return time.toInstant();
        }
        if (value instanceof Timestamp time) {
            return time.toLocalDateTime();
        }
        if (value instanceof DuckDBStruct struct) {
            return named(struct.getMap());
        }
        if (value instanceof Struct struct) {
            return list(struct.getAttributes());
        }
        if (value instanceof Array array) {
            return list((Object[]) array.getArray());
        }
        return value instanceof Map<?, ?> map ? named(map) : value.toString();
    }

    private static Map<String, @Nullable Object> named(Map<?, ?> map) throws SQLException {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            values.put(String.valueOf(plain(entry.getKey())), plain(entry.getValue()));
        }
        return Collections.unmodifiableMap(values);
    }

    private static List<@Nullable Object> list(Object[] elements) throws SQLException {
        List<@Nullable Object> values = new ArrayList<>(elements.length);
        for (Object element : elements) {
            values.add(plain(element));
        }
        return Collections.unmodifiableList(values);
    }
}
