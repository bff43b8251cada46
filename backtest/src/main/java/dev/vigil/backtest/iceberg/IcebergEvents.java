package dev.vigil.backtest.iceberg;

import dev.vigil.backtest.EventSource;
import dev.vigil.backtest.Label;
import dev.vigil.backtest.RecordReceiver;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.query.HistoryReader;
import dev.vigil.scoring.LogRecord;
import dev.vigil.scoring.policy.FeatureDeclaration;
import dev.vigil.scoring.policy.Policy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The events of the table of scored events in the order of the log, each with the fields that the policies of its time
 * declared. What was never scored is not in history: late and refused events, labels, reference rows.
 */
public final class IcebergEvents implements EventSource {
    /** The policy under test takes offset 0. */
    private static final long OFFSET_SHIFT = 1;

    private static final int SORT_MEGABYTES = 512;

    private final LakehouseConfig config;
    private final Path dataDir;
    private final LogRecord record = new LogRecord();

    /** @param dataDir of the lakehouse */
    public IcebergEvents(LakehouseConfig config, Path dataDir) {
        this.config = config;
        this.dataDir = dataDir;
    }

    @Override
    public void read(RecordReceiver receiver) {
        try (HistoryReader reader = HistoryReader.open(config, dataDir, SORT_MEGABYTES);
                Stream<ScoredEvent> events = reader.scoredEvents(HistoryReader.Range.ALL)) {
            SourcePosition last = null;
            Iterator<ScoredEvent> each = events.iterator();
            while (each.hasNext()) {
                ScoredEvent event = each.next();
                // A correction is no record of the log: it stands at the event that it corrects.
                if (event.revision() == 0) {
                    if (!isSamePartition(last, event.position())) {
                        receiver.partition(event.position().partition());
                    }
                    last = event.position();
                    receiver.record(record(event), Label.UNKNOWN);
                }
            }
        }
    }

    /** A log that replaced another starts anew, as it did live. */
    private static boolean isSamePartition(@Nullable SourcePosition last, SourcePosition next) {
        return last != null
                && last.partition() == next.partition()
                && last.topicId().equals(next.topicId());
    }

    private LogRecord record(ScoredEvent event) {
        EventEnvelope envelope = new EventEnvelope(
                event.eventId(),
                event.source(),
                event.type(),
                event.eventTimeUs(),
                event.account(),
                event.backfill(),
                Json.encode(event.fields()));
        record.begin(event.position().offset() + OFFSET_SHIFT, event.ingestTimeMs(), null, envelope.data());
        envelope.headers().forEach(record::header);
        return record;
    }

    @Override
    public List<String> notes(Policy policy) {
        List<String> notes = new ArrayList<>();
        if (!policy.references().isEmpty()) {
            notes.add(
                    "History holds no reference rows: whatever the policy reads of them is unknown here, so rules that"
                            + " need them do not hit. Replay the log (kafka:) to have them.");
        }
        if (policy.features().stream().anyMatch(IcebergEvents::readsLabels)) {
            notes.add("History holds no labels: rates of labels are 0 here. Replay the log (kafka:) to have them.");
        }
        return notes;
    }

    private static boolean readsLabels(FeatureDeclaration feature) {
        return feature instanceof FeatureDeclaration.Windowed windowed && windowed.label() != null;
    }

    @Override
    public String position(int partition, long offset) {
        return "partition " + partition + " offset " + (offset - OFFSET_SHIFT);
    }

    /** History is sorted as it is read; how much of it that was is known at its end. */
    @Override
    public double progress() {
        return 0;
    }
}
