package dev.vigil.cdc.mysql;

import dev.vigil.cdc.ColumnKind;
import dev.vigil.cdc.DeclaredColumns;
import dev.vigil.cdc.DeclaredColumns.Column;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.TableMapping;
import dev.vigil.event.FieldType;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the server says about a mapped table.
 *
 * @param columns by name
 * @param primaryKey its columns; empty if there is none
 * @param estimatedRows how many rows the server believes there are; -1 if it does not say
 */
public record MySqlTable(String table, Map<String, Column> columns, List<String> primaryKey, long estimatedRows) {

    private static final String TABLE =
            "SELECT table_rows FROM information_schema.tables WHERE table_schema = ? AND table_name = ?"
                    + " AND table_type = 'BASE TABLE'";
    private static final String COLUMNS = "SELECT column_name, column_type, coalesce(numeric_scale, -1), column_key"
            + " FROM information_schema.columns WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position";

    public MySqlTable {
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        primaryKey = List.copyOf(primaryKey);
    }

    static MySqlTable read(Connection connection, MySqlDatabase database, TableMapping mapping) throws SQLException {
        int dot = mapping.table().indexOf('.');
        String schema = mapping.table().substring(0, dot);
        String name = mapping.table().substring(dot + 1);
        List<String> found = MySqlDatabase.firstRow(connection, TABLE, schema, name);
        if (found.isEmpty()) {
            throw database.refuse("expected table " + mapping.table()
                    + " (cdc.tables), found none that this user may see; if it is there: GRANT SELECT ON "
                    + mapping.table());
        }
        checkReadable(connection, database, schema, name);
        long rows = found.get(0).isEmpty() ? -1 : Long.parseLong(found.get(0));
        MySqlTable table = readColumns(connection, mapping, schema, name, rows);
        table.check(database, mapping);
        return table;
    }

    private static void checkReadable(Connection connection, MySqlDatabase database, String schema, String name)
            throws SQLException {
        String table = quoted(schema) + "." + quoted(name);
        try (PreparedStatement query = connection.prepareStatement("SELECT 1 FROM " + table + " LIMIT 0")) {
            query.execute();
        } catch (SQLException e) {
            if (e.getErrorCode() == 1142 || e.getErrorCode() == 1143) {
                throw database.refuse("expected to be allowed to read table " + schema + "." + name
                        + ", found that SELECT is not granted; GRANT SELECT ON " + schema + "." + name);
            }
            throw e;
        }
    }

    static String quotedTable(String table) {
        int dot = table.indexOf('.');
        return quoted(table.substring(0, dot)) + "." + quoted(table.substring(dot + 1));
    }

    private static String quoted(String name) {
        return "`" + name.replace("`", "``") + "`";
    }

    private static MySqlTable readColumns(
            Connection connection, TableMapping mapping, String schema, String name, long rows) throws SQLException {
        Map<String, Column> columns = new LinkedHashMap<>();
        List<String> primaryKey = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement(COLUMNS)) {
            query.setString(1, schema);
            query.setString(2, name);
            try (ResultSet result = query.executeQuery()) {
                while (result.next()) {
                    columns.put(result.getString(1), column(result.getString(2), result.getInt(3)));
                    if (result.getString(4).equals("PRI")) {
                        primaryKey.add(result.getString(1));
                    }
                }
            }
        }
        return new MySqlTable(mapping.table(), columns, primaryKey, rows);
    }

    private void check(MySqlDatabase database, TableMapping mapping) {
        declared().complaint(mapping, primaryKey).ifPresent(complaint -> {
            throw database.refuse(complaint);
        });
    }

    private DeclaredColumns declared() {
        return new DeclaredColumns(table, columns, MySqlTable::kindsFor);
    }

    /** What does not fit the policy, a line each. */
    List<String> misfits(TableMapping mapping, DeclaredFields fields) {
        return declared().misfits(mapping, fields);
    }

    /** @param type as MySQL prints it */
    static Column column(String type, int scale) {
        ColumnKind kind = kindOf(type.toLowerCase(Locale.ROOT)).orElse(null);
        boolean isWholeNumber = type.toLowerCase(Locale.ROOT).startsWith("bigint");
        return new Column(type, kind, kind != ColumnKind.DECIMAL ? -1 : isWholeNumber ? 0 : scale);
    }

    private static Optional<ColumnKind> kindOf(String type) {
        if (type.equals("tinyint(1)") || type.equals("bit(1)")) {
            return Optional.of(ColumnKind.BOOLEAN);
        }
        String base = type.replaceFirst("[( ].*", "");
        return Optional.ofNullable(
                switch (base) {
                    case "tinyint", "smallint", "mediumint", "int", "year" -> ColumnKind.WHOLE;
                    // Beyond what a signed number of 64 bits holds.
                    case "bigint" -> type.contains("unsigned") ? ColumnKind.DECIMAL : ColumnKind.WHOLE;
                    case "decimal" -> ColumnKind.DECIMAL;
                    case "float", "double" -> ColumnKind.FLOATING;
                    case "date" -> ColumnKind.DATE;
                    case "datetime", "timestamp" -> ColumnKind.TIMESTAMP;
                    case "char",
                            "varchar",
                            "tinytext",
                            "text",
                            "mediumtext",
                            "longtext",
                            "enum",
                            "set",
                            "json",
                            "binary",
                            "varbinary",
                            "tinyblob",
                            "blob",
                            "mediumblob",
                            "longblob",
                            "time" -> ColumnKind.TEXT;
                    default -> null;
                });
    }

    /** The types of MySQL whose values can become a field of that type. */
    private static String kindsFor(FieldType type) {
        return switch (type) {
            case STRING -> "any scalar type";
            case LONG -> "an integer or decimal without a fraction";
            case DOUBLE -> "a number";
            case BOOL -> "tinyint(1) or bit(1)";
            case TIMESTAMP -> "date, datetime or timestamp";
            case MONEY -> "decimal or an integer";
        };
    }
}
