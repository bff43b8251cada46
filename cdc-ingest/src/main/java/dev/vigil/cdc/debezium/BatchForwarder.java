package dev.vigil.cdc.debezium;

import dev.vigil.cdc.MappedRow;
import dev.vigil.cdc.RowChange;
import dev.vigil.cdc.RowMapper;
import dev.vigil.cdc.kafka.EventPublisher;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import io.debezium.engine.DebeziumEngine.ChangeConsumer;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.connect.source.SourceRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards one batch after the other: map, send, wait for the broker, and only then tell the engine that the batch is
 * done. Whatever happens before that, the batch comes again with the same identities. Called by the engine's thread.
 */
final class BatchForwarder implements ChangeConsumer<RecordChangeEvent<SourceRecord>> {

    private static final Logger log = LoggerFactory.getLogger(BatchForwarder.class);

    private final RowChanges rows;
    private final RowMapper mapper;
    private final EventPublisher publisher;
    private final CaptureProgress progress;

    BatchForwarder(RowChanges rows, RowMapper mapper, EventPublisher publisher, CaptureProgress progress) {
        this.rows = rows;
        this.mapper = mapper;
        this.publisher = publisher;
        this.progress = progress;
    }

    @Override
    public void handleBatch(
            List<RecordChangeEvent<SourceRecord>> records, RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        publisher.abandon();
        BatchCounts counts = new BatchCounts();
        for (RecordChangeEvent<SourceRecord> event : records) {
            SourceRecord record = event.record();
            progress.enter(
                    RowChanges.isInsideSnapshot(record)
                            ? CaptureProgress.PHASE_SNAPSHOT
                            : CaptureProgress.PHASE_STREAMING);
            Optional<RowChange> change = rows.read(record);
            if (change.isPresent()) {
                forward(change.get(), counts);
            }
        }
        counts.tooLarge(publisher.awaitAcknowledged());
        for (RecordChangeEvent<SourceRecord> event : records) {
            committer.markProcessed(event);
        }
        committer.markBatchFinished();
        counts.addTo(progress);
    }

    private void forward(RowChange change, BatchCounts counts) throws InterruptedException {
        counts.rows++;
        MappedRow mapped = mapper.map(change);
        if (mapped instanceof MappedRow.Published published) {
            for (EventEnvelope event : published.events()) {
                publisher.publish(event);
                counts.published++;
                if (!EventTypes.isReserved(event.type())) {
                    progress.sawEventTime(event.timeUs());
                }
            }
        } else if (mapped instanceof MappedRow.Refused refused) {
            publisher.deadLetter(refused);
            counts.deadLetters++;
            log.warn(
                    "{}: row to the dead letters: {}",
                    change.table(),
                    refused.deadLetter().detail());
        } else {
            counts.skipped++;
            if (change.operation() == RowChange.Operation.TRUNCATE) {
                log.warn("{} was truncated: what was published of it stays", change.table());
            }
        }
    }

    /** Counts of a batch, which count only once the broker has all of it. */
    private static final class BatchCounts {
        private long rows;
        private long published;
        private long deadLetters;
        private long skipped;

        void tooLarge(int count) {
            published -= count;
            deadLetters += count;
        }

        void addTo(CaptureProgress progress) {
            progress.rowCount.addAndGet(rows);
            progress.publishedCount.addAndGet(published);
            progress.deadLetterCount.addAndGet(deadLetters);
            progress.skippedCount.addAndGet(skipped);
        }
    }
}
