package dev.vigil.alerting;

import dev.vigil.alerting.cases.CaseChanges;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Intake batches piece by piece. */
public final class BatchBuilder {
    private final Map<LogPartition, Long> nextOffsets = new HashMap<>();
    private final Map<LogPartition, Long> passedOffsets = new HashMap<>();
    private final Map<Integer, Long> eventTimesUs = new HashMap<>();
    private final List<IntakeBatch.RoutedAlert> alerts = new ArrayList<>();
    private final List<CooldownMark> marks = new ArrayList<>();
    private final List<OutgoingRecord> outgoing = new ArrayList<>();
    private CaseChanges cases = CaseChanges.NONE;
    private IntakeBatch.Counts counts = IntakeBatch.Counts.ZERO;

    public BatchBuilder next(LogPartition partition, long offset) {
        nextOffsets.put(partition, offset);
        return this;
    }

    public BatchBuilder passed(LogPartition partition, long offset) {
        passedOffsets.put(partition, offset);
        return this;
    }

    public BatchBuilder eventTime(int partition, long timeUs) {
        eventTimesUs.put(partition, timeUs);
        return this;
    }

    public BatchBuilder alert(TestAlerts alert, long acceptedAtMs, String... endpoints) {
        return alert(alert, acceptedAtMs, Set.of(), endpoints);
    }

    public BatchBuilder inOrder(TestAlerts alert, long acceptedAtMs, String endpoint) {
        return alert(alert, acceptedAtMs, Set.of(endpoint), endpoint);
    }

    private BatchBuilder alert(TestAlerts alert, long acceptedAtMs, Set<String> inOrder, String... endpoints) {
        alerts.add(new IntakeBatch.RoutedAlert(
                alert.json(),
                List.of(endpoints),
                acceptedAtMs,
                "case-of-" + alert.id(),
                false,
                alert.account(),
                inOrder));
        return this;
    }

    public BatchBuilder mark(CooldownMark mark) {
        marks.add(mark);
        return this;
    }

    public BatchBuilder outgoing(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        outgoing.add(new OutgoingRecord(OutgoingRecord.Destination.DEAD_LETTERS, null, bytes, Map.of("h", bytes)));
        return this;
    }

    public BatchBuilder counts(IntakeBatch.Counts newCounts) {
        counts = newCounts;
        return this;
    }

    public BatchBuilder cases(CaseChanges newCases) {
        cases = newCases;
        return this;
    }

    public IntakeBatch build() {
        return new IntakeBatch(nextOffsets, passedOffsets, eventTimesUs, alerts, marks, outgoing, cases, counts);
    }
}
