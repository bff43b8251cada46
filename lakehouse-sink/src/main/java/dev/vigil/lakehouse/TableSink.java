package dev.vigil.lakehouse;

import dev.vigil.event.DeadLetter;
import dev.vigil.service.EpochClock;
import dev.vigil.service.ServiceException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves one topic into one table, each record once.
 *
 * <pre>
 *            open ok              batch due                committed
 *   CLOSED ──────────▶ READING ──────────────▶ COMMITTING ──────────▶ READING
 *     ▲  ▲                │ failure                │ rejected
 *     │  └────────────────┘◀───────────────────────┘
 *     └── tried again, less and less often; FAILED when trying again cannot help
 * </pre>
 *
 * <p>Where reading resumes, and which log positions are repeats, comes from the table alone, so a crash at any step loses
 * the batch in hand and nothing else. While the outcome of a commit is unknown nothing is read: the batch waits on disk,
 * and the topic holds the backlog.
 *
 * <p>{@link #doWork} and {@link #close} are called by one thread, the rest by any.
 */
public final class TableSink implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TableSink.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long FIRST_RETRY_MS = 500;
    private static final long LAST_RETRY_MS = 30_000;
    private static final int MAX_WAITING_FLUSHES = 16;

    private enum Phase {
        CLOSED,
        READING,
        COMMITTING,
        FAILED
    }

    private final HistoryTable table;
    private final RecordSource source;
    private final HistoryStore store;
    private final RefusedRecords refused;
    private final LakehouseConfig config;
    private final EpochClock clock;
    private final SinkCounts counts = new SinkCounts();
    private final Freshness freshness = new Freshness();
    private final BlockingQueue<CompletableFuture<Void>> flushRequests = new ArrayBlockingQueue<>(MAX_WAITING_FLUSHES);
    private final List<CompletableFuture<Void>> flushing = new ArrayList<>();

    private Phase phase = Phase.CLOSED;
    private Positions committed = Positions.NONE;
    private PositionTracker tracker = new PositionTracker(Positions.NONE);
    private @Nullable Positions target;
    private long batchRows;
    private long batchStartMs;
    private @Nullable Map<Integer, Long> flushEnds;
    private int failuresInRow;
    private @Nullable String problem;
    private volatile SinkStatus status = new SinkStatus(Positions.NONE, null, 0, null, null, 0, null, false);

    public TableSink(
            HistoryTable table,
            RecordSource source,
            HistoryStore store,
            RefusedRecords refused,
            LakehouseConfig config,
            EpochClock clock) {
        this.table = table;
        this.source = source;
        this.store = store;
        this.refused = refused;
        this.config = config;
        this.clock = clock;
    }

    /**
     * One step: opens, reads a few records, or commits. Blocks for as long as the broker, the storage or the catalog
     * does. Never throws for an outage of theirs.
     *
     * @return ms to wait before the next call; 0: none
     */
    public long doWork() {
        long waitMs;
        try {
            waitMs = switch (phase) {
                case CLOSED -> open();
                case READING -> read();
                case COMMITTING -> settle();
                case FAILED -> LAST_RETRY_MS;
            };
        } catch (ServiceException e) {
            waitMs = failForGood(e);
        } catch (RuntimeException e) {
            waitMs = startOver(e);
        }
        publish();
        return waitMs;
    }

    public HistoryTable table() {
        return table;
    }

    public SinkStatus status() {
        return status;
    }

    public SinkCounts counts() {
        return counts;
    }

    /** @return done when everything that the topic held at some moment after this call is committed */
    public CompletableFuture<Void> requestFlush() {
        CompletableFuture<Void> request = new CompletableFuture<>();
        if (!flushRequests.offer(request)) {
            request.completeExceptionally(new IllegalStateException(
                    MAX_WAITING_FLUSHES + " requests to flush " + table.tableName() + " wait already"));
        }
        return request;
    }

    private long open() {
        Positions stored = store.open();
        String topicId = source.connect();
        Positions start = stored;
        if (!stored.topicId().equals(topicId)) {
            if (!stored.topicId().isEmpty()) {
                log.warn(
                        "{}: its topic was deleted and created again; reading the new one from its start",
                        table.tableName());
            }
            start = stored.onTopic(topicId);
        }
        source.seek(start.next(), config.acceptGap());
        committed = stored;
        tracker = new PositionTracker(start);
        batchRows = 0;
        freshness.reset();
        phase = Phase.READING;
        problem = null;
        return 0;
    }

    private long read() {
        if (flushIsDue()) {
            return seal();
        }
        for (RawRecord record : source.poll(POLL)) {
            take(record);
        }
        long nowMs = clock.epochMs();
        lookAtEnds(nowMs);
        if (batchRows == 0) {
            freshness.settled();
            return 0;
        }
        boolean due = batchRows >= config.commitRows() || nowMs >= commitDueAtMs();
        return due ? seal() : 0;
    }

    private long commitDueAtMs() {
        return batchStartMs + config.commitInterval().toMillis();
    }

    private boolean flushIsDue() {
        if (flushing.isEmpty() && flushRequests.drainTo(flushing) > 0) {
            flushEnds = null;
        }
        if (flushing.isEmpty()) {
            return false;
        }
        if (flushEnds == null) {
            flushEnds = source.endOffsets();
        }
        if (!source.reached(flushEnds)) {
            return false;
        }
        if (batchRows > 0) {
            return true;
        }
        flushing.forEach(request -> request.complete(null));
        flushing.clear();
        return false;
    }

    private void take(RawRecord record) {
        try {
            Decoded decoded = RecordDecoder.decode(table, record);
            if (decoded instanceof Decoded.Row row) {
                if (!tracker.pass(record, row.position(), row.key())) {
                    counts.repeated();
                    return;
                }
                if (batchRows == 0) {
                    batchStartMs = clock.epochMs();
                }
                batchRows++;
                store.write(row.row());
                return;
            }
            if (decoded instanceof Decoded.Schema schema) {
                store.declare(schema.schema());
            }
        } catch (BadRecordException e) {
            log.warn(
                    "{}: refused the record at partition {}, offset {}: {}",
                    table.tableName(),
                    record.partition(),
                    record.offset(),
                    e.getMessage());
            String detail = String.valueOf(e.getMessage());
            refused.refuse(table, record, new DeadLetter(e.reason(), "lakehouse-sink", detail, null));
            counts.refusedOne();
        }
        tracker.pass(record, null, "");
    }

    /** A broker that does not answer is a problem to show; what was read goes on to its commit all the same. */
    private void lookAtEnds(long nowMs) {
        try {
            if (freshness.look(source, nowMs)) {
                problem = null;
                failuresInRow = 0;
            }
        } catch (RuntimeException e) {
            problem = describe(e);
            counts.failed();
        }
    }

    private long seal() {
        refused.flush();
        target = tracker.positions(committed.rows() + batchRows, committed.commits() + 1, clock.epochMs());
        phase = Phase.COMMITTING;
        return settle();
    }

    private long settle() {
        Positions to = target;
        if (to == null) {
            throw new IllegalStateException("nothing to commit");
        }
        CommitOutcome outcome = store.commit(committed, to);
        if (outcome instanceof CommitOutcome.Committed) {
            counts.committed(batchRows);
            committed = to;
            target = null;
            batchRows = 0;
            failuresInRow = 0;
            problem = null;
            freshness.settled();
            phase = Phase.READING;
            return 0;
        }
        if (outcome instanceof CommitOutcome.Rejected rejected) {
            return startOver(new IllegalStateException(rejected.reason()));
        }
        problem = oneLine(((CommitOutcome.Unknown) outcome).problem());
        counts.failed();
        log.warn("the outcome of a commit is not known, checking again: {}", problem);
        return retryMs();
    }

    private long startOver(RuntimeException cause) {
        counts.failed();
        problem = describe(cause);
        log.warn("reading again from where the table stands: {}", problem);
        log.debug("cause", cause);
        store.discard();
        target = null;
        batchRows = 0;
        phase = Phase.CLOSED;
        return retryMs();
    }

    private long failForGood(ServiceException cause) {
        problem = describe(cause);
        log.error("stopped: {}", problem);
        store.discard();
        batchRows = 0;
        phase = Phase.FAILED;
        flushing.forEach(request -> request.completeExceptionally(cause));
        flushing.clear();
        return LAST_RETRY_MS;
    }

    private long retryMs() {
        long waitMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS << Math.min(failuresInRow, 6));
        failuresInRow++;
        return waitMs;
    }

    private String describe(RuntimeException e) {
        Throwable deepest = e;
        while (deepest.getCause() != null && deepest.getCause() != deepest) {
            deepest = deepest.getCause();
        }
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        if (deepest != e && deepest.getMessage() != null && !message.contains(deepest.getMessage())) {
            message = message + ": " + deepest.getMessage();
        }
        return oneLine(message);
    }

    private String oneLine(String message) {
        return table.tableName() + ": " + message.lines().findFirst().orElse("");
    }

    private void publish() {
        if (phase == Phase.FAILED) {
            flushRequests.drainTo(flushing);
            String why = Objects.requireNonNull(problem, "failed without a problem");
            flushing.forEach(request -> request.completeExceptionally(new ServiceException(why)));
            flushing.clear();
        }
        status = new SinkStatus(
                committed,
                store.snapshotId(),
                batchRows,
                batchRows == 0 ? null : Long.valueOf(commitDueAtMs()),
                freshness.freshUntilMs(),
                store.misfits(),
                problem,
                phase == Phase.FAILED);
    }

    /** Commits what was read, once; what cannot be committed now is read again after the next start. */
    @Override
    public void close() {
        long rows = batchRows;
        try {
            if (rows > 0 && (phase == Phase.COMMITTING ? settle() : seal()) > 0) {
                log.warn("{}: closed with {} rows to read again", table.tableName(), rows);
            }
        } catch (RuntimeException e) {
            log.warn("{}: closed with {} rows to read again: {}", table.tableName(), rows, describe(e));
        }
        publish();
        flushRequests.drainTo(flushing);
        flushing.forEach(request -> request.completeExceptionally(new TimeoutException("closed before the flush")));
        source.close();
        store.close();
    }
}
