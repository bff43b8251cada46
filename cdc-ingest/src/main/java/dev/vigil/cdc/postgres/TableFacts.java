package dev.vigil.cdc.postgres;

import dev.vigil.cdc.DeclaredColumns;
import dev.vigil.cdc.DeclaredColumns.Column;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.TableMapping;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the database says about a mapped table.
 *
 * @param columns the mapped ones and those of the primary key
 * @param primaryKey its columns; empty if there is none
 * @param fullIdentity whether the whole old row is logged with every update and delete
 * @param estimatedRows how many rows the database's statistics know of; -1 if it has none
 */
public record TableFacts(
        String table, Map<String, Column> columns, List<String> primaryKey, boolean fullIdentity, long estimatedRows) {

    private static final String TABLE =
            "SELECT c.oid, c.relreplident, has_table_privilege(c.oid, 'SELECT'), c.reltuples::bigint"
                    + " FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE n.nspname || '.' || c.relname = ? AND c.relkind IN ('r', 'p')";
    private static final String COLUMNS = "SELECT a.attname, a.atttypid, format_type(a.atttypid, a.atttypmod),"
            + " a.atttypmod, coalesce(a.attnum = ANY (i.indkey), false) FROM pg_attribute a"
            + " LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary"
            + " WHERE a.attrelid = ? AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum";
    /** PostgreSQL keeps precision and scale in one number, with four added. */
    private static final int TYPMOD_OFFSET = 4;

    public TableFacts {
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        primaryKey = List.copyOf(primaryKey);
    }

    static TableFacts read(Connection connection, SourceDatabase database, TypeCatalog types, TableMapping mapping)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(TABLE)) {
            query.setString(1, mapping.table());
            try (ResultSet result = query.executeQuery()) {
                if (!result.next()) {
                    throw database.refuse("expected table " + mapping.table() + " (cdc.tables), found none");
                }
                if (!result.getBoolean(3)) {
                    throw database.refuse("expected to be allowed to read table " + mapping.table()
                            + ", found that SELECT is not granted; GRANT SELECT ON " + mapping.table());
                }
                String identity = result.getString(2);
                TableFacts facts = readColumns(
                        connection, types, mapping, result.getLong(1), identity.equals("f"), result.getLong(4));
                facts.check(database, mapping, identity);
                return facts;
            }
        }
    }

    private static TableFacts readColumns(
            Connection connection,
            TypeCatalog types,
            TableMapping mapping,
            long oid,
            boolean fullIdentity,
            long estimatedRows)
            throws SQLException {
        Map<String, Column> columns = new LinkedHashMap<>();
        List<String> primaryKey = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(COLUMNS)) {
            query.setLong(1, oid);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    int typmod = result.getInt(4);
                    int scale = typmod < TYPMOD_OFFSET ? -1 : (typmod - TYPMOD_OFFSET) & 0x7ff;
                    columns.put(
                            result.getString(1),
                            new Column(
                                    result.getString(3),
                                    types.kind(result.getLong(2)).orElse(null),
                                    scale));
                    if (result.getBoolean(5)) {
                        primaryKey.add(result.getString(1));
                    }
                }
            }
        }
        return new TableFacts(mapping.table(), columns, primaryKey, fullIdentity, estimatedRows);
    }

    /** @param identity the table's replica identity: d, f, i, or n */
    private void check(SourceDatabase database, TableMapping mapping, String identity) {
        declared().complaint(mapping, primaryKey).ifPresent(complaint -> {
            throw database.refuse(complaint);
        });
        if (identity.equals("n") || identity.equals("d") && primaryKey.isEmpty()) {
            throw database.refuse("expected a replica identity on " + table + ", found none: once it is published, the"
                    + " server would refuse every update and delete of it; ALTER TABLE " + table
                    + " REPLICA IDENTITY FULL");
        }
    }

    private DeclaredColumns declared() {
        return new DeclaredColumns(table, columns, TypeCatalog::kindsFor);
    }

    /** What does not fit the policy, a line each. */
    List<String> misfits(TableMapping mapping, DeclaredFields fields) {
        return declared().misfits(mapping, fields);
    }
}
