package dev.vigil.cdc.postgres;

import dev.vigil.cdc.TableMapping;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the database says about a mapped table.
 *
 * @param primaryKey its columns; empty if there is none
 * @param fullIdentity whether the whole old row is logged with every update and delete
 */
public record TableFacts(String table, List<String> primaryKey, boolean fullIdentity) {

    private static final String TABLE =
            "SELECT c.oid, c.relreplident = 'f', has_table_privilege(c.oid, 'SELECT') FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE n.nspname || '.' || c.relname = ? AND c.relkind IN ('r', 'p')";
    private static final String COLUMNS = "SELECT a.attname, t.typcategory, coalesce(a.attnum = ANY (i.indkey), false)"
            + " FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid"
            + " LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary"
            + " WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";
    /** Arrays, composites, ranges: nothing that an event's field could hold. */
    private static final Set<String> NOT_SCALAR = Set.of("A", "C", "R", "P");

    public TableFacts {
        primaryKey = List.copyOf(primaryKey);
    }

    static TableFacts read(Connection connection, SourceDatabase database, TableMapping mapping) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(TABLE)) {
            query.setString(1, mapping.table());
            try (ResultSet result = query.executeQuery()) {
                if (!result.next()) {
                    throw database.refuse("expected table " + mapping.table() + " (cdc.tables), found none");
                }
                if (!result.getBoolean(3)) {
                    throw database.refuse("expected to be allowed to read table " + mapping.table()
                            + ", found that SELECT is not granted");
                }
                return readColumns(connection, database, mapping, result.getLong(1), result.getBoolean(2));
            }
        }
    }

    private static TableFacts readColumns(
            Connection connection, SourceDatabase database, TableMapping mapping, long oid, boolean fullIdentity)
            throws SQLException {
        Map<String, String> categoryByColumn = new LinkedHashMap<>();
        List<String> primaryKey = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(COLUMNS)) {
            query.setLong(1, oid);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    categoryByColumn.put(result.getString(1), result.getString(2));
                    if (result.getBoolean(3)) {
                        primaryKey.add(result.getString(1));
                    }
                }
            }
        }
        for (String column : mapping.columns()) {
            String category = categoryByColumn.get(column);
            if (category == null) {
                throw database.refuse("expected column " + column + " in table " + mapping.table()
                        + " (cdc.tables), found " + String.join(", ", categoryByColumn.keySet()));
            }
            if (NOT_SCALAR.contains(category)) {
                throw database.refuse("expected a scalar column, found " + mapping.table() + "." + column
                        + " to be an array, composite or range");
            }
        }
        if (primaryKey.isEmpty() && mapping.id().isEmpty()) {
            throw database.refuse("expected a primary key on " + mapping.table()
                    + ", found none; add one, or name the identity's columns with 'id' in cdc.tables");
        }
        return new TableFacts(mapping.table(), primaryKey, fullIdentity);
    }
}
