package dev.vigil.cdc.debezium;

import dev.vigil.cdc.ChangeCounts;
import dev.vigil.cdc.ChangeProcessor;
import dev.vigil.cdc.LookupConfig;
import dev.vigil.cdc.RowChange;
import dev.vigil.cdc.RowMapper;
import dev.vigil.cdc.kafka.EventPublisher;
import dev.vigil.cdc.rocksdb.CaptureStore;
import io.debezium.engine.DebeziumEngine.ChangeConsumer;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Forwards one batch after the other: map, send, wait for the broker, write state and position, and only then tell the engine
 * how far it may confirm to the database. Whatever happens before that, the batch comes again with the same identities.
 * Called by the engine's thread.
 */
final class BatchForwarder implements ChangeConsumer<RecordChangeEvent<SourceRecord>> {

    /** A write that survives a loss of power takes milliseconds; what was only written is not confirmed to the database. */
    private static final long DURABLE_EVERY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final SourceRecords rows;
    private final RowMapper mapper;
    private final LookupConfig lookups;
    private final EventPublisher publisher;
    private final CaptureStore store;
    private final CaptureProgress progress;
    private final ResumePoint resume;
    private long durableAtNs = System.nanoTime() - DURABLE_EVERY_NS;

    BatchForwarder(
            SourceRecords rows,
            RowMapper mapper,
            LookupConfig lookups,
            EventPublisher publisher,
            CaptureStore store,
            CaptureProgress progress) {
        this.rows = rows;
        this.mapper = mapper;
        this.lookups = lookups;
        this.publisher = publisher;
        this.store = store;
        this.progress = progress;
        this.resume = new ResumePoint(rows, store.position());
    }

    @Override
    public void handleBatch(
            List<RecordChangeEvent<SourceRecord>> records, RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        progress.beginBatch();
        publisher.abandon();
        store.rollback();
        ChangeCounts counts = new ChangeCounts(progress.maxFutureSkew().toMillis() * 1_000);
        ChangeProcessor processor = new ChangeProcessor(mapper, lookups, store, publisher, counts);
        boolean isOfLog = false;
        for (RecordChangeEvent<SourceRecord> event : records) {
            isOfLog |= forward(event, processor, counts);
        }
        counts.tooLarge(publisher.awaitAcknowledged());
        commit(committer);
        committer.markBatchFinished();
        progress.add(counts, store.waitingCount());
        progress.endBatch(isOfLog);
    }

    /** @return whether the record was in the database's log, or comes from a snapshot that holds the log up */
    private boolean forward(RecordChangeEvent<SourceRecord> event, ChangeProcessor processor, ChangeCounts counts)
            throws InterruptedException {
        SourceRecord record = event.record();
        boolean insideSnapshot = rows.isInsideSnapshot(record);
        boolean endsSnapshot = rows.endsSnapshot(record);
        progress.enter(insideSnapshot ? CaptureProgress.PHASE_SNAPSHOT : CaptureProgress.PHASE_STREAMING);
        if (!insideSnapshot && !endsSnapshot) {
            endSnapshot(record, processor);
        }
        Optional<RowChange> change = rows.read(record);
        boolean isOnDemand = SnapshotProgress.isOnDemand(record);
        if (!resume.enter(event, change.isPresent() && !isOnDemand)) {
            counts.passedOver++;
            return true;
        }
        progress.snapshot.see(record, rows, insideSnapshot);
        if (change.isPresent()) {
            processor.process(change.get());
        }
        OptionalLong heartbeatUs = rows.heartbeatUs(record);
        if (heartbeatUs.isPresent()) {
            processor.passTime(heartbeatUs.getAsLong());
        }
        if (endsSnapshot) {
            endSnapshot(record, processor);
        }
        return heartbeatUs.isPresent() || change.isPresent() && !isOnDemand;
    }

    private void endSnapshot(SourceRecord record, ChangeProcessor processor) throws InterruptedException {
        if (store.isSnapshotOpen()) {
            progress.vanishedCount.addAndGet(processor.endSnapshot(rows.moment(record)));
        }
    }

    private void commit(RecordCommitter<RecordChangeEvent<SourceRecord>> committer) throws InterruptedException {
        boolean durable = System.nanoTime() - durableAtNs >= DURABLE_EVERY_NS;
        store.commit(resume.position(), durable);
        progress.reach(store.position());
        if (!durable) {
            return;
        }
        durableAtNs = System.nanoTime();
        RecordChangeEvent<SourceRecord> settled = resume.takeSettled();
        if (settled != null) {
            committer.markProcessed(settled);
        }
    }
}
