package dev.vigil.lakehouse.query;

import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.iceberg.HistoryCatalog;
import dev.vigil.lakehouse.iceberg.HistoryScans;
import dev.vigil.lakehouse.iceberg.TableFiles;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SQL over history, read-only, from the process that writes it or from another.
 *
 * <p>Each query sees the tables at one snapshot each: the newest, or the one that was current at a given time. It runs in
 * an embedded DuckDB of its own with bounded memory, threads, time and rows, which can open the data files of those
 * snapshots and nothing else. Every table of the namespace is a view under its name; tables without rows are empty and
 * typed.
 *
 * <p>Safe for any thread; queries run beside each other, each with limits of its own, on a thread of its own: neither a
 * catalog that does not answer nor an engine that cannot be cancelled holds the caller for longer than the time limit and
 * {@link #GRACE}.
 */
public final class HistoryQuery implements AutoCloseable {
    /** Beyond the time limit, which is the engine's: for planning, and for what cannot be cancelled. */
    static final Duration GRACE = Duration.ofSeconds(10);

    private static final Logger log = LoggerFactory.getLogger(HistoryQuery.class);

    private final HistoryCatalog catalog;
    private volatile boolean leftBehind;

    private HistoryQuery(HistoryCatalog catalog) {
        this.catalog = catalog;
    }

    /**
     * @param dataDir of the lakehouse
     * @throws dev.vigil.service.ServiceException if there is no history yet
     */
    public static HistoryQuery open(LakehouseConfig config, Path dataDir) {
        return new HistoryQuery(HistoryCatalog.forReading(config, dataDir));
    }

    /** Over the tables as they stand now, within the default limits. */
    public QueryResult run(String sql) {
        return run(sql, null, QueryLimits.defaults());
    }

    /**
     * @param asOf over the tables as they stood then; absent: as they stand now
     * @throws QueryException if it cannot be answered; the message is for the person who wrote the SQL
     */
    public QueryResult run(String sql, @Nullable Instant asOf, QueryLimits limits) {
        FutureTask<QueryResult> answer = new FutureTask<>(() -> answer(sql, asOf, limits));
        Thread thread = new Thread(answer, "history-query");
        thread.setDaemon(true);
        thread.start();
        try {
            return answer.get(limits.timeout().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("the query failed", e.getCause());
        } catch (TimeoutException e) {
            log.error(
                    "A query did not end {} s after its limit of {} s and is left behind. It stands at{}",
                    GRACE.toSeconds(),
                    limits.timeout().toSeconds(),
                    Arrays.stream(thread.getStackTrace())
                            .map(frame -> "\n  " + frame)
                            .collect(Collectors.joining()));
            leftBehind = true;
            thread.interrupt();
            throw tooLong(limits, e);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            throw new QueryException(QueryException.Kind.FAILED, "interrupted", e);
        }
    }

    private QueryResult answer(String sql, @Nullable Instant asOf, QueryLimits limits) {
        long startNs = System.nanoTime();
        List<TableFiles> tables = HistoryScans.plan(catalog, name -> mayRead(sql, name), asOf);
        int files = tables.stream().mapToInt(table -> table.files().size()).sum();
        try (DuckDb duck = new DuckDb(tables, limits.memoryMb(), limits.threads(), null)) {
            return read(duck, duck.limited(sql, limits.maxRows() + 1L), limits, files, startNs);
        } catch (SQLException e) {
            throw failure(e, limits);
        }
    }

    private static QueryException tooLong(QueryLimits limits, Exception cause) {
        return new QueryException(
                QueryException.Kind.LIMIT,
                "cancelled: it took longer than " + limits.timeout().toSeconds() + " s",
                cause);
    }

    /** A table whose name does not occur in the text cannot be read by it; SHOW and the like concern all of them. */
    private static boolean mayRead(String sql, String table) {
        String text = sql.toLowerCase(Locale.ROOT);
        return text.contains(table.toLowerCase(Locale.ROOT))
                || text.contains("show")
                || text.contains("information_schema")
                || text.contains("duckdb_");
    }

    private static QueryResult read(DuckDb duck, String sql, QueryLimits limits, int files, long startNs)
            throws SQLException {
        try (Statement statement = duck.connection().createStatement()) {
            statement.setQueryTimeout((int) Math.max(1, limits.timeout().toSeconds()));
            try (ResultSet result = statement.executeQuery(sql)) {
                ResultSetMetaData meta = result.getMetaData();
                List<QueryResult.Column> columns = new ArrayList<>();
                for (int i = 1; i <= meta.getColumnCount(); i++) {
                    columns.add(new QueryResult.Column(meta.getColumnName(i), meta.getColumnTypeName(i)));
                }
                List<List<@Nullable Object>> rows = new ArrayList<>();
                boolean more = result.next();
                while (more && rows.size() < limits.maxRows()) {
                    rows.add(row(result, columns.size()));
                    more = result.next();
                }
                long elapsedMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
                return new QueryResult(columns, rows, more, files, elapsedMs);
            }
        }
    }

    private static List<@Nullable Object> row(ResultSet result, int columns) throws SQLException {
        List<@Nullable Object> row = new ArrayList<>(columns);
        for (int i = 1; i <= columns; i++) {
            row.add(SqlValues.plain(result.getObject(i)));
        }
        return Collections.unmodifiableList(row);
    }

    private QueryException failure(SQLException e, QueryLimits limits) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("INTERRUPT Error")) {
            return tooLong(limits, e);
        }
        if (message.contains("Out of Memory Error")) {
            return new QueryException(
                    QueryException.Kind.LIMIT, "it needs more than " + limits.memoryMb() + " MB of memory", e);
        }
        String line = message.lines().findFirst().orElse("").strip();
        if (line.matches("Catalog Error: Table with name .* does not exist.*")) {
            line = line.replaceFirst("[!.]$", "") + "; there are "
                    + String.join(", ", HistoryScans.tableNames(catalog));
        }
        boolean theirs =
                line.matches("(Parser|Binder|Catalog|Conversion|Invalid Input|Out of Range|Permission) Error.*");
        return new QueryException(theirs ? QueryException.Kind.BAD_SQL : QueryException.Kind.FAILED, line, e);
    }

    /** Leaves the catalog to a query that could not be cancelled, which may hold it for good. */
    @Override
    public void close() {
        if (!leftBehind) {
            catalog.close();
        }
    }
}
