package dev.vigil.launcher;

import dev.vigil.dashboard.history.HistoryException;
import dev.vigil.dashboard.history.HistoryQueries;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.query.HistoryQuery;
import dev.vigil.lakehouse.query.QueryException;
import dev.vigil.lakehouse.query.QueryLimits;
import dev.vigil.lakehouse.query.QueryResult;
import dev.vigil.service.ServiceException;
import java.nio.file.Path;
import java.time.Duration;

/** History queries of the dashboard, answered by the lakehouse. */
record HistoryAdapter(LakehouseConfig config, Path dataDirectory) implements HistoryQueries {
    @Override
    public Table query(String sql, int maxRows, Duration timeout) {
        try (HistoryQuery history = HistoryQuery.open(config, dataDirectory)) {
            QueryLimits limits = QueryLimits.defaults().withMaxRows(maxRows).withTimeout(timeout);
            QueryResult result = history.run(sql, null, limits);
            return new Table(
                    result.columns().stream()
                            .map(column -> new Column(column.name(), column.type()))
                            .toList(),
                    result.rows(),
                    result.truncated());
        } catch (QueryException e) {
            throw new HistoryException(kind(e.kind()), String.valueOf(e.getMessage()), e);
        } catch (ServiceException e) {
            throw new HistoryException(HistoryException.Kind.UNAVAILABLE, "there is no history yet", e);
        }
    }

    private static HistoryException.Kind kind(QueryException.Kind kind) {
        return switch (kind) {
            case BAD_SQL -> HistoryException.Kind.INVALID;
            case LIMIT -> HistoryException.Kind.TIMEOUT;
            case FAILED -> HistoryException.Kind.UNAVAILABLE;
        };
    }
}
