package dev.vigil.dashboard.http;

import dev.vigil.dashboard.history.HistoryException;
import dev.vigil.dashboard.history.HistoryQueries;
import dev.vigil.service.EpochClock;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** SQL over history, on a few threads of its own and within bounds. */
final class QueryRoutes implements WebServer.Routes, AutoCloseable {
    private static final int DEFAULT_LIMIT = 1_000;
    private static final int MAX_SQL_CHARACTERS = 20_000;
    /** For the query engine to notice by itself that the time is over, before the client is answered without it. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final QueryConfig config;
    private final @Nullable HistoryQueries queries;
    private final EpochClock clock;
    private final ThreadPoolExecutor executor;

    /** @param queries absent where this process has no history */
    QueryRoutes(QueryConfig config, @Nullable HistoryQueries queries, EpochClock clock) {
        this.config = config;
        this.queries = queries;
        this.clock = clock;
        AtomicInteger number = new AtomicInteger();
        ThreadFactory threads = task -> new Thread(task, "dashboard-query-" + number.incrementAndGet());
        this.executor = new ThreadPoolExecutor(
                config.concurrent(), config.concurrent(), 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), threads);
        executor.allowCoreThreadTimeOut(true);
    }

    record Query(@Nullable String sql, @Nullable Integer limit) {}

    record Answer(
            List<HistoryQueries.Column> columns,
            List<List<@Nullable Object>> rows,
            boolean truncated,
            long elapsedMs) {}

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.post("/api/v1/query", this::query);
    }

    private void query(Context ctx) {
        HistoryQueries history = queries;
        if (history == null) {
            throw new ProblemException(
                    Problem.of(501, "no-history", "No history", "This process has no history to query."));
        }
        Query query = read(ctx);
        int limit = limit(query);
        String sql = sql(query);
        ctx.future(() -> run(history, sql, limit).handle((answer, failure) -> {
            if (failure != null) {
                throw problem(failure);
            }
            ApiJson.write(ctx, 200, answer);
            return null;
        }));
    }

    private CompletableFuture<Answer> run(HistoryQueries history, String sql, int limit) {
        try {
            return CompletableFuture.supplyAsync(() -> ask(history, sql, limit), executor)
                    .orTimeout(config.timeout().plus(GRACE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            throw new ProblemException(
                    Problem.of(429, "busy", "Too many queries", "Other queries are running; ask again."), 2);
        }
    }

    private Answer ask(HistoryQueries history, String sql, int limit) {
        long startMs = clock.epochMs();
        HistoryQueries.Table table = history.query(sql, limit, config.timeout());
        List<List<@Nullable Object>> rows = new ArrayList<>(table.rows().size());
        for (List<@Nullable Object> row : table.rows()) {
            List<@Nullable Object> values = new ArrayList<>(row.size());
            row.forEach(value -> values.add(QueryValues.shown(value)));
            rows.add(values);
        }
        return new Answer(table.columns(), rows, table.truncated(), Math.max(0, clock.epochMs() - startMs));
    }

    private static Query read(Context ctx) {
        String type = ctx.contentType();
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            throw new ProblemException(
                    Problem.of(415, "unsupported-media-type", "Unsupported media type", "Expected application/json."));
        }
        byte[] body = ctx.bodyAsBytes();
        try {
            Query query = ApiJson.decode(body, Query.class);
            if (query != null) {
                return query;
            }
        } catch (IOException e) {
            // Of an array it can only be what stands there; not each is a complaint about JSON, as about odd UTF-32.
        }
        throw new ProblemException(
                Problem.of(400, "bad-query", "Bad query", "Expected a JSON object such as {\"sql\": \"SELECT 1\"}."));
    }

    private static String sql(Query query) {
        String sql = query.sql();
        if (sql == null || sql.isBlank()) {
            throw new ProblemException(Problem.of(400, "bad-query", "Bad query", "sql: expected a statement."));
        }
        if (sql.length() > MAX_SQL_CHARACTERS) {
            throw new ProblemException(Problem.of(
                    400, "bad-query", "Bad query", "sql: expected at most " + MAX_SQL_CHARACTERS + " characters."));
        }
        return sql;
    }

    private int limit(Query query) {
        Integer limit = query.limit();
        if (limit == null) {
            return Math.min(DEFAULT_LIMIT, config.maxRows());
        }
        if (limit < 1 || limit > config.maxRows()) {
            throw new ProblemException(Problem.of(
                    400, "bad-query", "Bad query", "limit: expected an integer from 1 to " + config.maxRows() + "."));
        }
        return limit;
    }

    private static RuntimeException problem(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof TimeoutException) {
            return new ProblemException(Problem.of(503, "query-timeout", "Query took too long", null), 5);
        }
        if (!(cause instanceof HistoryException history)) {
            return new CompletionException(cause);
        }
        String detail = history.getMessage();
        return switch (history.kind()) {
            case INVALID -> new ProblemException(Problem.of(400, "bad-query", "Bad query", detail));
            case TIMEOUT -> new ProblemException(Problem.of(503, "query-timeout", "Query took too long", detail), 5);
            case UNAVAILABLE -> new ProblemException(Problem.of(503, "no-history", "History unavailable", detail), 5);
        };
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
