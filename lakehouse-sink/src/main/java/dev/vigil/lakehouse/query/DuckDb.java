package dev.vigil.lakehouse.query;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import dev.vigil.lakehouse.iceberg.TableFiles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A DuckDB of one query: in memory, with a view per table, and then locked: it reaches no file but those of the views, no
 * network and no setting. One thread.
 */
final class DuckDb implements AutoCloseable {
    private final Connection connection;

    /**
     * @param spill for what does not fit into memory, for a result of any size that is read as it comes; absent: nothing
     *     may spill, and the result is whole before the first row is read. A result that streams loses the reason of a
     *     failure, one that does not is outside of the memory limit
     */
    DuckDb(List<TableFiles> tables, int memoryMb, int threads, @Nullable Path spill) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("jdbc_stream_results", Boolean.toString(spill != null));
        connection = DriverManager.getConnection("jdbc:duckdb:", properties);
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET TimeZone='UTC'");
            statement.execute("SET memory_limit='" + memoryMb + "MB'");
            statement.execute("SET threads=" + threads);
            // Local files are read at once, and no second time: eight more threads and a cache are of no use here.
            statement.execute("SET async_threads=0");
            statement.execute("SET enable_external_file_cache=false");
            statement.execute("SET temp_directory=" + text(spill == null ? "" : spill.toString()));
            statement.execute("SET allowed_paths=" + files(tables));
            for (TableFiles table : tables) {
                statement.execute(view(table));
            }
            statement.execute("SET enable_external_access=false");
            statement.execute("SET lock_configuration=true");
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    Connection connection() {
        return connection;
    }

    /**
     * The query with a limit around it; an order within it holds.
     *
     * @throws QueryException if it is not exactly one query: SELECT, WITH, DESCRIBE, SHOW and the like, by DuckDB's own
     *     parser
     */
    String limited(String sql, long rows) throws SQLException {
        requireOneQuery(sql);
        String bare = sql.strip();
        while (bare.endsWith(";")) {
            bare = bare.substring(0, bare.length() - 1).stripTrailing();
        }
        String limited = "SELECT * FROM (" + bare + "\n) LIMIT " + rows;
        if (parse(limited).path("error").asBoolean()) {
            throw new QueryException(QueryException.Kind.BAD_SQL, "expected nothing after the last semicolon");
        }
        return limited;
    }

    private void requireOneQuery(String sql) throws SQLException {
        JsonNode parsed = parse(sql);
        if (parsed.path("error").asBoolean()) {
            String message = parsed.path("error_type").asText().equals("not implemented")
                    ? "expected a query (SELECT, WITH, DESCRIBE or SHOW), found another statement"
                    : parsed.path("error_message").asText();
            throw new QueryException(QueryException.Kind.BAD_SQL, message);
        }
        int statements = parsed.path("statements").size();
        if (statements != 1) {
            throw new QueryException(
                    QueryException.Kind.BAD_SQL,
                    "expected one statement, found " + (statements == 0 ? "none" : statements));
        }
    }

    private JsonNode parse(String sql) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT json_serialize_sql(?)::VARCHAR")) {
            statement.setString(1, sql);
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return Json.mapper().readTree(result.getString(1));
            }
        } catch (JsonProcessingException e) {
            throw new SQLException("the parser's answer is not JSON", e);
        }
    }

    private static String view(TableFiles table) {
        String columns =
                table.columns().stream().map(column -> quoted(column.name())).collect(Collectors.joining(", "));
        String typed = table.columns().stream()
                .map(column -> "NULL::" + column.sqlType() + " AS " + quoted(column.name()))
                .collect(Collectors.joining(", ", "SELECT ", " WHERE false"));
        // Each file has the columns of its time; the typed side gives those that none of them has, and grown structs.
        String rows = table.files().isEmpty()
                ? typed
                : typed + " UNION ALL BY NAME SELECT * FROM read_parquet(" + files(List.of(table))
                        + ", union_by_name=true, hive_partitioning=false)";
        return "CREATE VIEW " + quoted(table.table()) + " AS SELECT " + columns + " FROM (" + rows + ")";
    }

    private static String files(List<TableFiles> tables) {
        return tables.stream()
                .flatMap(table -> table.files().stream())
                .map(file -> text(file.toString()))
                .collect(Collectors.joining(",", "[", "]"));
    }

    static String text(String value) {
        return "'" + value.replace("'", "''") + "'";
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
