package dev.vigil.demo;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Rows as one array per column, the form in which {@code unnest} takes them. An instant is sent as ISO text. */
final class Columns<R> {
    private record Column(String type, List<@Nullable Object> values) {}

    private final List<R> rows;
    private final List<Column> columns = new ArrayList<>();

    Columns(List<R> rows) {
        this.rows = rows;
    }

    Columns<R> add(String type, Function<R, @Nullable Object> value) {
        List<@Nullable Object> values = new ArrayList<>(rows.size());
        for (R row : rows) {
            Object cell = value.apply(row);
            values.add(cell instanceof Instant ? cell.toString() : cell);
        }
        columns.add(new Column(type, values));
        return this;
    }

    /** Runs the statement with the columns as its parameters; returns how many rows it inserted. */
    int insert(Connection connection, String sql) throws SQLException {
        List<Array> arrays = new ArrayList<>(columns.size());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (Column column : columns) {
                Array array =
                        connection.createArrayOf(column.type(), column.values().toArray());
                arrays.add(array);
                statement.setArray(arrays.size(), array);
            }
            return statement.executeUpdate();
        } finally {
            for (Array array : arrays) {
                array.free();
            }
        }
    }
}
