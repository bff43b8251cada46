package dev.vigil.lakehouse.query;

import dev.vigil.event.FieldType;
import dev.vigil.event.ScoredEvent;
import dev.vigil.lakehouse.ColumnType;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.StructColumns;
import dev.vigil.lakehouse.iceberg.HistoryCatalog;
import dev.vigil.lakehouse.iceberg.HistoryScans;
import dev.vigil.lakehouse.iceberg.TableFiles;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whole tables in the order of the log, for replays. Rows are sorted outside of memory where they do not fit, and
 * streamed: memory does not grow with history. Close every stream.
 *
 * <p>Safe for any thread; a stream belongs to one.
 */
public final class HistoryReader implements AutoCloseable {
    /** Newest last; within a log topic by partition and offset; corrections of an event after what they correct. */
    private static final String LOG_ORDER =
            " ORDER BY topic_start, source_topic_id, source_partition, source_offset," + " revision, source, event_id";

    private final HistoryCatalog catalog;
    private final int memoryMb;

    private HistoryReader(HistoryCatalog catalog, int memoryMb) {
        this.catalog = catalog;
        this.memoryMb = memoryMb;
    }

    /**
     * @param dataDir of the lakehouse
     * @param memoryMb for sorting; more rows than fit go through the disk
     * @throws dev.vigil.service.ServiceException if there is no history yet
     */
    public static HistoryReader open(LakehouseConfig config, Path dataDir, int memoryMb) {
        return new HistoryReader(HistoryCatalog.forReading(config, dataDir), memoryMb);
    }

    /**
     * A stretch of history.
     *
     * @param from event time of the first, inclusive; absent: from the beginning
     * @param to event time, exclusive; absent: to the end
     * @param asOf as the table stood then; absent: now
     */
    public record Range(
            @Nullable Instant from,
            @Nullable Instant to,
            @Nullable Instant asOf) {
        public static final Range ALL = new Range(null, null, null);

        String where() {
            List<String> conditions = new ArrayList<>();
            if (from != null) {
                conditions.add("event_time >= TIMESTAMPTZ '" + from + "'");
            }
            if (to != null) {
                conditions.add("event_time < TIMESTAMPTZ '" + to + "'");
            }
            return conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        }
    }

    /** Types of the values in {@code fields} and {@code features}, by the names that policies use. */
    public record Types(Map<String, FieldType> fields, Map<String, FieldType> features) {}

    /** Where policies disagreed about a name, its type in the newest of its columns. */
    public Types types() {
        return new Types(types("fields"), types("features"));
    }

    private Map<String, FieldType> types(String struct) {
        Map<String, FieldType> types = new LinkedHashMap<>();
        columns(struct).forEach((column, type) -> types.put(StructColumns.valueName(column, type), type.type()));
        return types;
    }

    private Map<String, ColumnType> columns(String struct) {
        return HistoryScans.structColumns(catalog, HistoryTable.SCORED_EVENTS, struct);
    }

    /**
     * Scored events in the order of the log: topics in the order of their first event, and within one by partition and
     * offset. MONEY values are BigDecimal, TIMESTAMP values Long (µs), as in {@link FieldType}.
     */
    public Stream<ScoredEvent> scoredEvents(Range range) {
        ScoredRows rows = new ScoredRows(columns("fields"), columns("features"));
        String sql = "SELECT scored_events.* FROM scored_events JOIN (SELECT source_topic_id,"
                + " min(ingest_time) AS topic_start FROM scored_events GROUP BY 1) AS topics USING (source_topic_id)"
                + range.where() + LOG_ORDER;
        return stream(HistoryTable.SCORED_EVENTS.tableName(), sql, range.asOf()).map(rows::event);
    }

    /**
     * Rows of any table, by column name, with values as in {@link QueryResult}; in event-time order.
     *
     * @throws QueryException if there is no such table
     */
    public Stream<Map<String, @Nullable Object>> rows(String table, Range range) {
        String sql = "SELECT * FROM " + DuckDb.quoted(table) + range.where() + " ORDER BY event_time";
        return stream(table, sql, range.asOf());
    }

    private Stream<Map<String, @Nullable Object>> stream(String table, String sql, @Nullable Instant asOf) {
        List<TableFiles> tables = HistoryScans.plan(catalog, table::equals, asOf);
        if (tables.isEmpty()) {
            throw new QueryException(QueryException.Kind.BAD_SQL, "no table " + table + " in history");
        }
        return RowStream.open(tables, sql, memoryMb);
    }

    @Override
    public void close() {
        catalog.close();
    }
}
