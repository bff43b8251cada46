package dev.vigil.engine.kafka;

import dev.vigil.engine.TaskStores;
import dev.vigil.engine.checkpoint.CheckpointManifest;
import dev.vigil.engine.checkpoint.Checkpoints;
import dev.vigil.engine.rocksdb.CorruptStoreException;
import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.engine.rocksdb.StateAccessException;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.PartitionScorer;
import dev.vigil.scoring.ScoredBefore;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.scoring.state.TaskState.End;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.RecordCounts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * One partition: its state, its scorer and the steps that wait for the broker. On its worker's thread, except
 * {@link #checkpoint}, {@link #status}, {@link #policy} and {@link #completeSinceUs}.
 *
 * <p>A step's state is written when the broker has acknowledged all that the step emitted. A crash before that leaves the
 * state of an earlier step, and what was emitted is emitted again, byte for byte.
 */
final class ScoringTask {
    /** How far scoring may run ahead of the broker's acknowledgements, in steps. */
    static final int MAX_WAITING_STEPS = 16;

    private record WaitingStep(StateBatch batch, OutputBatch outputs) {}

    private final int partition;
    private final String topicId;
    private final TaskStores stores;
    private final RocksDbStateStore store;
    private final Checkpoints checkpoints;
    private final PartitionScorer scorer;
    private final KafkaOutbox outbox;
    private final LogRecord record = new LogRecord();
    private final Deque<WaitingStep> waiting = new ArrayDeque<>();
    private volatile PartitionStatus status;
    private volatile @Nullable Policy policy;
    private volatile @Nullable Map<String, Long> completeSinceUs;
    private volatile @Nullable CheckpointManifest lastCheckpoint;
    private final Object closing = new Object();
    /** Written by the worker's thread, under the lock. */
    private boolean closed;

    private long endOffset;
    private long lastRecordAtMs;
    private long lastTickWatermarkUs = TaskState.NO_WATERMARK;
    private long timersTickAtMs;

    /** @param firstPolicy as {@link PartitionScorer} takes it */
    ScoringTask(
            int partition,
            String topicId,
            TaskStores stores,
            long maxLiveEvents,
            @Nullable Policy firstPolicy,
            OutputSender sender,
            long nowMs) {
        this.partition = partition;
        this.topicId = topicId;
        this.stores = stores;
        this.checkpoints = stores.checkpoints(partition);
        this.store = stores.open(partition, checkpoints);
        try {
            this.scorer = new PartitionScorer(topicId, partition, store, maxLiveEvents, firstPolicy);
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
        this.outbox = new KafkaOutbox(sender, topicId, partition);
        this.lastRecordAtMs = nowMs;
        this.status = readStatus();
        this.policy = scorer.policy();
        this.completeSinceUs = scorer.completeSinceUs();
    }

    int partition() {
        return partition;
    }

    /** Id of the topic that its state is a function of. */
    String topicId() {
        return topicId;
    }

    long nextOffset() {
        return scorer.nextOffset();
    }

    /**
     * Records before this offset stood in the log when the task took the partition up. How long they waited says for how long
     * nobody scored, or how long ago somebody else did; nothing of how fast this engine is. So they have no latency; those
     * that come while it catches up have theirs, waiting included.
     */
    void catchUpTo(long offset) {
        outbox.catchUpTo(offset);
    }

    boolean isBusy() {
        return waiting.size() >= MAX_WAITING_STEPS;
    }

    boolean isWaiting() {
        return !closed && !waiting.isEmpty();
    }

    /** Scores records, in log order, and ends a step. */
    void process(List<ConsumerRecord<byte[], byte[]>> records, long nowMs) {
        lastRecordAtMs = nowMs;
        outbox.begin();
        for (ConsumerRecord<byte[], byte[]> next : records) {
            record.begin(next.offset(), next.timestamp(), next.key(), next.value());
            for (Header header : next.headers()) {
                record.header(header.key(), header.value());
            }
            outbox.source(next);
            scorer.process(record, outbox);
        }
        waiting.add(new WaitingStep(scorer.takeStep(), outbox.end()));
    }

    /**
     * Writes the steps whose outputs are acknowledged. One that cannot be written stays the next to be written. Nothing
     * happens once the task is closed, as when the consumer gives up its partitions after a failure.
     *
     * @throws OutputLostException if the broker refused an output for good
     * @throws StateAccessException if the state was found to be damaged, or cannot be written
     */
    void writeAcknowledged() {
        if (closed) {
            return;
        }
        store.requireSound();
        while (!waiting.isEmpty() && waiting.peek().outputs().isAcknowledged()) {
            scorer.write(waiting.peek().batch());
            waiting.remove();
        }
    }

    /** @param lag records of the partition that this task has not seen, as far as is known */
    void updateStatus(long lag) {
        endOffset = scorer.nextOffset() + Math.max(0, lag);
        updateStatus();
    }

    void updateStatus() {
        completeSinceUs = scorer.completeSinceUs();
        status = readStatus();
        policy = scorer.policy();
    }

    private PartitionStatus readStatus() {
        TaskState counts = scorer.counts();
        CheckpointManifest checkpoint = lastCheckpoint;
        return new PartitionStatus(
                partition,
                scorer.nextOffset(),
                Math.max(endOffset, scorer.nextOffset()),
                scorer.watermarkUs() == TaskState.NO_WATERMARK ? null : scorer.watermarkUs(),
                new RecordCounts(
                        counts.read(),
                        counts.count(End.SCORED),
                        counts.count(End.CONTROL),
                        counts.count(End.REFERENCE),
                        counts.count(End.LABEL),
                        counts.count(End.DUPLICATE),
                        counts.count(End.LATE),
                        counts.count(End.DEAD_LETTERED)),
                counts.alerts(),
                counts.corrections(),
                counts.summaries(),
                checkpoint == null ? null : checkpoint.createdAtMs(),
                checkpoint == null ? null : checkpoint.nextOffset(),
                scorer.lateEntersFromUs());
    }

    /** Any thread. */
    PartitionStatus status() {
        return status;
    }

    /** Any thread. The active policy; null before the first activation. */
    @Nullable
    Policy policy() {
        return policy;
    }

    /** Any thread. See {@link PartitionScorer#completeSinceUs}. */
    @Nullable
    Map<String, Long> completeSinceUs() {
        return completeSinceUs;
    }

    /** See {@link PartitionScorer#look(String, String, String)}. */
    ScoredBefore look(String account, String eventId, @Nullable String source) {
        return scorer.look(account, eventId, source);
    }

    /**
     * Event time that an idle partition should be told: that of the others, when nothing came here for a while and this
     * watermark has fallen behind; also its own, while timers wait that a record would fire. Told by a record of the log,
     * so that a replay learns it at the same place.
     *
     * @return µs, or {@link TaskState#NO_WATERMARK} for nothing to tell
     */
    long dueTickUs(long othersWatermarkUs, long idleMs, long nowMs) {
        Policy active = scorer.policy();
        boolean idle = nowMs - lastRecordAtMs >= idleMs && endOffset <= scorer.nextOffset();
        if (active == null || !idle) {
            return TaskState.NO_WATERMARK;
        }
        if (scorer.hasDueTimers() && nowMs - timersTickAtMs >= idleMs) {
            // More are due than one record fires.
            timersTickAtMs = nowMs;
            return Math.max(othersWatermarkUs, scorer.watermarkUs())
                    + active.time().outOfOrdernessUs();
        }
        if (othersWatermarkUs == TaskState.NO_WATERMARK) {
            return TaskState.NO_WATERMARK;
        }
        boolean behind = scorer.watermarkUs() == TaskState.NO_WATERMARK
                || othersWatermarkUs - scorer.watermarkUs() >= idleMs * 1_000;
        if (!behind || othersWatermarkUs == lastTickWatermarkUs) {
            return TaskState.NO_WATERMARK;
        }
        lastTickWatermarkUs = othersWatermarkUs;
        return othersWatermarkUs + active.time().outOfOrdernessUs();
    }

    /** On the checkpoint thread, beside the worker's. Does nothing once the task is closed. */
    void checkpoint(long nowMs) throws IOException {
        Path copy;
        synchronized (closing) {
            if (closed) {
                return;
            }
            copy = stores.copy(partition, store);
        }
        try {
            lastCheckpoint = stores.upload(copy, partition, topicId, checkpoints, nowMs);
        } catch (CorruptStoreException e) {
            // The copy's files are the state's own; the worker finds out at its next step and goes back to a
            // checkpoint.
            store.condemn(String.valueOf(e.getMessage()));
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Closes the state as it was last written; what waits is forgotten and will be scored again. */
    void close() {
        synchronized (closing) {
            closed = true;
            store.close();
        }
    }
}
