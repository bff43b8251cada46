package dev.vigil.lakehouse.iceberg;

import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.InMemoryTopic;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.RawRecord;
import dev.vigil.lakehouse.RefusedRecords;
import dev.vigil.lakehouse.TableSink;
import dev.vigil.lakehouse.query.HistoryQuery;
import dev.vigil.lakehouse.query.QueryResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.iceberg.Table;

/** Sinks of one table on a catalog with troubles, over a topic in memory, with a clock that stands still. */
final class SinkHarness implements AutoCloseable {
    final InMemoryTopic topic = new InMemoryTopic(2);
    final List<RawRecord> refused = new ArrayList<>();
    private final HistoryTable table;
    private final Path dataDir;
    private final List<HistoryCatalog> catalogs = new ArrayList<>();
    long nowMs = 1_000_000;

    SinkHarness(HistoryTable table, Path dataDir) {
        this.table = table;
        this.dataDir = dataDir;
        FlakyCatalog.reset();
    }

    static LakehouseConfig flaky(Path dataDir) {
        return config(Map.of(
                "catalog-impl",
                FlakyCatalog.class.getName(),
                "uri",
                "jdbc:sqlite:" + dataDir.resolve("catalog.db") + "?busy_timeout=30000&journal_mode=WAL",
                "jdbc.schema-version",
                "V1"));
    }

    private static LakehouseConfig config(Map<String, String> catalog) {
        return new LakehouseConfig(
                Duration.ofSeconds(60), 10, 4, false, null, new LakehouseConfig.Catalog("vigil", catalog));
    }

    TableSink newSink() {
        return newSink(flaky(dataDir));
    }

    TableSink newSink(LakehouseConfig config) {
        HistoryCatalog catalog = HistoryCatalog.forWriting(config, dataDir);
        catalogs.add(catalog);
        return new TableSink(
                table,
                topic.reader(),
                new IcebergHistoryStore(catalog, table, config.openPartitions()),
                new KeptRefused(),
                config,
                () -> nowMs);
    }

    /** Steps until everything in the topic is committed. */
    void drain(TableSink sink) {
        CompletableFuture<Void> flushed = sink.requestFlush();
        for (int i = 0; i < 200 && !flushed.isDone(); i++) {
            sink.doWork();
        }
        if (!flushed.isDone()) {
            throw new AssertionError("not flushed after 200 steps: " + sink.status());
        }
    }

    QueryResult query(String sql) {
        // The embedded catalog is the same database as the flaky one, without its troubles.
        try (HistoryQuery query = HistoryQuery.open(LakehouseConfig.defaults(), dataDir)) {
            return query.run(sql);
        }
    }

    List<?> row(String sql) {
        return query(sql).rows().get(0);
    }

    Table load() {
        HistoryCatalog catalog = HistoryCatalog.forReading(LakehouseConfig.defaults(), dataDir);
        catalogs.add(catalog);
        return catalog.load(table.tableName());
    }

    int snapshots() {
        int count = 0;
        for (Object snapshot : load().snapshots()) {
            count += snapshot == null ? 0 : 1;
        }
        return count;
    }

    @Override
    public void close() {
        FlakyCatalog.reset();
        catalogs.forEach(HistoryCatalog::close);
    }

    private final class KeptRefused implements RefusedRecords {
        @Override
        public void refuse(HistoryTable from, RawRecord record, dev.vigil.event.DeadLetter letter) {
            refused.add(record);
        }

        @Override
        public void flush() {}
    }
}
