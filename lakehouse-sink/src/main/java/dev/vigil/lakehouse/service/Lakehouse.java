package dev.vigil.lakehouse.service;

import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.SinkStatus;
import dev.vigil.lakehouse.TableSink;
import dev.vigil.lakehouse.iceberg.HistoryCatalog;
import dev.vigil.lakehouse.iceberg.IcebergHistoryStore;
import dev.vigil.lakehouse.kafka.KafkaRecordSource;
import dev.vigil.lakehouse.kafka.KafkaRefusedRecords;
import dev.vigil.service.EpochClock;
import dev.vigil.service.ServiceException;
import dev.vigil.service.VigilService;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns Vigil's output topics into history: one thread per table, each with a consumer and commits of its own, so that
 * trouble with one table does not hold up another.
 *
 * <p>After a restart, however the process ended, each table goes on from the position in its own metadata: no row twice,
 * none missing. While the broker or the catalog is away the sinks wait and try again; {@link #status} says so, and the
 * topics keep the backlog. Two lakehouses on the same tables are safe and wasteful: each commit refuses the other's.
 */
public final class Lakehouse implements VigilService {
    private static final Logger log = LoggerFactory.getLogger(Lakehouse.class);
    private static final String SERVICE = "lakehouse-sink";

    private final LakehouseConfig config;
    private final Path dataDir;
    private final KafkaConfig kafka;
    private final EpochClock clock;
    private final MeterRegistry meters;
    private final List<SinkThread> sinks = new ArrayList<>();
    private @Nullable HistoryCatalog catalog;
    private @Nullable KafkaRefusedRecords refused;
    private volatile ServiceState state = ServiceState.NEW;

    /** @param dataDir for the embedded catalog and warehouse; unused where the configuration names others */
    public Lakehouse(KafkaConfig kafka, LakehouseConfig config, Path dataDir, EpochClock clock, MeterRegistry meters) {
        this.kafka = kafka;
        this.config = config;
        this.dataDir = dataDir;
        this.clock = clock;
        this.meters = meters;
    }

    /**
     * @throws ServiceException if the configuration cannot be meant: no such catalog, a directory that cannot be written.
     *     A broker or catalog that does not answer yet is waited for in the background.
     */
    @Override
    public void start() {
        state = ServiceState.STARTING;
        try {
            HistoryCatalog opened = HistoryCatalog.forWriting(config, dataDir);
            catalog = opened;
            connect(opened);
            KafkaRefusedRecords deadLetters = new KafkaRefusedRecords(kafka);
            refused = deadLetters;
            for (HistoryTable table : HistoryTable.values()) {
                TableSink sink = new TableSink(
                        table,
                        new KafkaRecordSource(kafka, table.topic(kafka.topics()), "lakehouse-" + table.tableName()),
                        new IcebergHistoryStore(opened, table, config.openPartitions()),
                        deadLetters,
                        config,
                        clock);
                SinkMeters.register(meters, sink);
                sinks.add(new SinkThread(sink));
            }
            sinks.forEach(SinkThread::start);
            state = ServiceState.RUNNING;
        } catch (RuntimeException e) {
            state = ServiceState.FAILED;
            throw e;
        }
    }

    private static void connect(HistoryCatalog catalog) {
        try {
            catalog.connect();
        } catch (ServiceException e) {
            throw e;
        } catch (RuntimeException e) {
            log.warn("the catalog does not answer yet, trying again: {}", e.getMessage());
        }
    }

    /**
     * Commits everything that the topics hold at this moment, in every table, and returns when it is committed.
     *
     * @return false if it takes longer than that, or a table cannot get on; {@link #status} says which
     */
    public boolean flushNow(Duration timeout) {
        List<CompletableFuture<Void>> requests =
                sinks.stream().map(thread -> thread.sink().requestFlush()).toList();
        try {
            CompletableFuture.allOf(requests.toArray(CompletableFuture[]::new))
                    .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            log.warn("history is not flushed within {} s: {}", timeout.toSeconds(), unfinished(requests));
            return false;
        } catch (ExecutionException e) {
            log.warn("history is not flushed: {}", String.valueOf(e.getMessage()));
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private List<String> unfinished(List<CompletableFuture<Void>> requests) {
        return IntStream.range(0, requests.size())
                .filter(i -> !requests.get(i).isDone())
                .mapToObj(i -> sinks.get(i).sink())
                .map(sink -> sink.table().tableName() + " with " + sink.status().pendingRows() + " rows to commit"
                        + (sink.status().problem() == null
                                ? ""
                                : ", " + sink.status().problem()))
                .toList();
    }

    @Override
    public LakehouseStatus status() {
        List<LakehouseStatus.TableStatus> tables = new ArrayList<>();
        String problem = null;
        long pendingRows = 0;
        Long commitDueAtMs = null;
        Long freshUntilMs = Long.MAX_VALUE;
        boolean failed = state == ServiceState.FAILED;
        for (SinkThread thread : sinks) {
            SinkStatus sink = thread.sink().status();
            tables.add(tableStatus(thread.sink().table(), sink));
            pendingRows += sink.pendingRows();
            commitDueAtMs = earlier(commitDueAtMs, sink.commitDueAtMs());
            problem = problem == null ? sink.problem() : problem;
            failed |= sink.failed();
            freshUntilMs = freshUntilMs == null || sink.freshUntilMs() == null
                    ? null
                    : Long.valueOf(Math.min(freshUntilMs, sink.freshUntilMs()));
        }
        return new LakehouseStatus(
                SERVICE,
                failed ? ServiceState.FAILED : state,
                problem,
                pendingRows,
                commitDueAtMs,
                tables.isEmpty() ? null : freshUntilMs,
                tables);
    }

    private static @Nullable Long earlier(@Nullable Long a, @Nullable Long b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return Math.min(a, b);
    }

    private static LakehouseStatus.TableStatus tableStatus(HistoryTable table, SinkStatus sink) {
        long committedAtMs = sink.committed().committedAtMs();
        return new LakehouseStatus.TableStatus(
                table.tableName(),
                sink.committed().rows(),
                sink.committed().commits(),
                committedAtMs == 0 ? null : committedAtMs,
                sink.snapshotId());
    }

    /** Commits what was read; rows that cannot be committed now are read again after the next start. */
    @Override
    public void close() {
        if (state == ServiceState.STOPPED) {
            return;
        }
        sinks.forEach(SinkThread::requestStop);
        sinks.forEach(SinkThread::awaitStop);
        if (refused != null) {
            refused.close();
        }
        if (catalog != null) {
            catalog.close();
        }
        state = ServiceState.STOPPED;
    }
}
