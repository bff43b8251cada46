package dev.vigil.alerting;

import dev.vigil.alerting.cases.CaseStore;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/** The outbox's contract in its plainest form; forgets everything with its object. */
public final class InMemoryOutbox implements Outbox {
    private final Map<LogPartition, Long> nextOffsets = new HashMap<>();
    private final Map<LogPartition, Long> passedOffsets = new HashMap<>();
    private final Map<CooldownMark.Group, CooldownMark> marks = new HashMap<>();
    private final TreeSet<PendingDelivery> pending = new TreeSet<>(Comparator.comparingLong(PendingDelivery::dueAtMs)
            .thenComparingLong(PendingDelivery::alertSeq)
            .thenComparing(PendingDelivery::endpoint));
    private final Map<Long, StoredAlert> alerts = new HashMap<>();
    private final TreeMap<Long, OutgoingRecord> outgoing = new TreeMap<>();
    private final Map<String, DisabledEndpoint> disabled = new HashMap<>();
    /** By alert and endpoint. */
    private final Map<List<String>, Delivery> settled = new HashMap<>();

    private final InMemoryCases cases = new InMemoryCases();
    private OutboxCounts counts = OutboxCounts.ZERO;
    private long nextAlertSeq = 1;
    private long nextRecordSeq = 1;
    private final String id = UUID.randomUUID().toString();
    private boolean closed;

    @Override
    public String id() {
        return id;
    }

    @Override
    public synchronized OptionalLong nextOffset(LogPartition alertsPartition) {
        return offset(nextOffsets, alertsPartition);
    }

    @Override
    public synchronized OptionalLong passedOffset(LogPartition logPartition) {
        return offset(passedOffsets, logPartition);
    }

    private OptionalLong offset(Map<LogPartition, Long> offsets, LogPartition partition) {
        checkOpen();
        Long offset = offsets.get(partition);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    @Override
    public synchronized Optional<CooldownMark> mark(CooldownMark.Group group) {
        checkOpen();
        return Optional.ofNullable(marks.get(group));
    }

    @Override
    public CaseStore cases() {
        return cases;
    }

    @Override
    public synchronized void accept(IntakeBatch batch) {
        checkOpen();
        cases.put(batch.cases(), batch.eventTimesUs());
        nextOffsets.putAll(batch.nextOffsets());
        passedOffsets.putAll(batch.passedOffsets());
        counts = counts.plus(batch);
        batch.alerts().forEach(this::put);
        batch.outgoing().forEach(this::put);
        batch.eventTimesUs()
                .forEach((partition, timeUs) ->
                        marks.values().removeIf(mark -> mark.partition() == partition && mark.expiresAtUs() <= timeUs));
        batch.marks().forEach(mark -> marks.put(mark.group(), mark));
    }

    private void put(IntakeBatch.RoutedAlert alert) {
        long alertSeq = nextAlertSeq++;
        alerts.put(alertSeq, new StoredAlert(alert.json(), alert.caseId(), alert.escalation()));
        String alertId = Json.decode(alert.json(), Alert.class).alertId();
        for (String endpoint : alert.endpoints()) {
            PendingDelivery delivery = new PendingDelivery(endpoint, alertSeq, alert.acceptedAtMs(), 0, 0);
            pending.add(delivery);
            finishIfSettled(delivery, alertId);
        }
    }

    @Override
    public synchronized void settle(List<Delivery> ended, Map<LogPartition, Long> offsets) {
        checkOpen();
        ended.forEach(delivery -> settled.put(List.of(delivery.alertId(), delivery.endpoint()), delivery));
        nextOffsets.putAll(offsets);
    }

    @Override
    public synchronized boolean finishIfSettled(PendingDelivery delivery, String alertId) {
        checkOpen();
        Delivery ended = settled.remove(List.of(alertId, delivery.endpoint()));
        if (ended == null) {
            return false;
        }
        pending.remove(delivery);
        forgetIfOver(delivery.alertSeq());
        counts = counts.plusSettled(delivery.endpoint(), ended.outcome());
        return true;
    }

    @Override
    public synchronized void forgetSettled(long beforeMs) {
        checkOpen();
        settled.values().removeIf(ended -> ended.attemptedAtMs() < beforeMs);
    }

    private void forgetIfOver(long alertSeq) {
        if (pending.stream().noneMatch(other -> other.alertSeq() == alertSeq)) {
            alerts.remove(alertSeq);
        }
    }

    private void put(OutgoingRecord next) {
        outgoing.put(nextRecordSeq++, next);
    }

    @Override
    public synchronized DueDeliveries due(String endpoint, long nowMs, int limit) {
        checkOpen();
        List<PendingDelivery> due = new ArrayList<>();
        for (PendingDelivery delivery : pending) {
            if (!delivery.endpoint().equals(endpoint)) {
                continue;
            }
            if (due.size() == limit) {
                break;
            }
            if (delivery.dueAtMs() > nowMs) {
                return new DueDeliveries(due, OptionalLong.of(delivery.dueAtMs()));
            }
            due.add(delivery);
        }
        return new DueDeliveries(due, OptionalLong.empty());
    }

    @Override
    public synchronized StoredAlert alert(long alertSeq) {
        checkOpen();
        StoredAlert stored = alerts.get(alertSeq);
        if (stored == null) {
            throw new IllegalStateException("no alert " + alertSeq + " in the outbox");
        }
        return stored;
    }

    @Override
    public synchronized void reschedule(PendingDelivery delivery, PendingDelivery next, Delivery report) {
        checkOpen();
        pending.remove(delivery);
        pending.add(next);
        put(OutgoingRecord.of(report));
        counts = counts.plus(delivery, report);
    }

    @Override
    public synchronized void finish(PendingDelivery delivery, Delivery report) {
        checkOpen();
        pending.remove(delivery);
        forgetIfOver(delivery.alertSeq());
        put(OutgoingRecord.of(report));
        counts = counts.plus(delivery, report);
    }

    @Override
    public synchronized Optional<DisabledEndpoint> disabled(String endpoint) {
        checkOpen();
        return Optional.ofNullable(disabled.get(endpoint));
    }

    @Override
    public synchronized void disable(DisabledEndpoint endpoint) {
        checkOpen();
        disabled.put(endpoint.endpoint(), endpoint);
    }

    @Override
    public synchronized void enable(String endpoint) {
        checkOpen();
        disabled.remove(endpoint);
    }

    @Override
    public synchronized List<NumberedRecord> unpublished(long afterSeq, int limit) {
        checkOpen();
        return outgoing.tailMap(afterSeq, false).entrySet().stream()
                .limit(limit)
                .map(entry -> new NumberedRecord(entry.getKey(), entry.getValue()))
                .toList();
    }

    @Override
    public synchronized void published(List<NumberedRecord> records) {
        checkOpen();
        records.forEach(record -> outgoing.remove(record.seq()));
    }

    @Override
    public synchronized OutboxCounts counts() {
        return counts;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the outbox is closed");
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
