package dev.vigil.alerting;

import dev.vigil.alerting.cases.CaseStore;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
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

    /** Time of the request by alert and endpoint. */
    private final Map<List<String>, Long> redelivered = new HashMap<>();

    /** By endpoint and account: the one that is delivered, and those that wait for it. */
    private final Map<List<String>, Deque<PendingDelivery>> inOrder = new HashMap<>();

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
            if (alert.inOrder().contains(endpoint) && !settled.containsKey(List.of(alertId, endpoint))) {
                Deque<PendingDelivery> queue =
                        inOrder.computeIfAbsent(List.of(endpoint, alert.account()), place -> new ArrayDeque<>());
                queue.add(delivery);
                if (queue.size() > 1) {
                    continue;
                }
            }
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
        List<String> key = List.of(alertId, delivery.endpoint());
        Delivery ended = settled.get(key);
        if (ended == null || ended.attemptedAtMs() < redelivered.getOrDefault(key, Long.MIN_VALUE)) {
            return false;
        }
        settled.remove(key);
        redelivered.remove(key);
        pending.remove(delivery);
        releaseNext(
                delivery,
                Json.decode(alerts.get(delivery.alertSeq()).json(), Alert.class).account());
        forgetIfOver(delivery.alertSeq());
        counts = counts.plusSettled(delivery.endpoint(), ended.outcome());
        return true;
    }

    @Override
    public synchronized int redeliver(String endpoint, List<AlertAgain> again, boolean ordered, long nowMs) {
        checkOpen();
        int count = 0;
        for (AlertAgain alert : again) {
            List<String> key = List.of(alert.alertId(), endpoint);
            if (redelivered.putIfAbsent(key, nowMs) == null) {
                settled.remove(key);
                put(new IntakeBatch.RoutedAlert(
                        alert.json(),
                        List.of(endpoint),
                        nowMs,
                        null,
                        false,
                        alert.account(),
                        ordered ? Set.of(endpoint) : Set.of()));
                count++;
            }
        }
        counts = counts.plusRedelivered(endpoint, count);
        return count;
    }

    @Override
    public synchronized boolean isRedelivery(String alertId, String endpoint) {
        checkOpen();
        return redelivered.containsKey(List.of(alertId, endpoint));
    }

    @Override
    public synchronized void forgetSettled(long beforeMs) {
        checkOpen();
        settled.values().removeIf(ended -> ended.attemptedAtMs() < beforeMs);
    }

    private void releaseNext(PendingDelivery over, String account) {
        List<String> place = List.of(over.endpoint(), account);
        Deque<PendingDelivery> queue = inOrder.get(place);
        if (queue == null || queue.getFirst().alertSeq() != over.alertSeq()) {
            return;
        }
        queue.removeFirst();
        if (queue.isEmpty()) {
            inOrder.remove(place);
        } else {
            PendingDelivery next = queue.getFirst();
            pending.add(new PendingDelivery(
                    next.endpoint(), next.alertSeq(), Math.max(over.dueAtMs(), next.dueAtMs()), 0, next.dueAtMs()));
        }
    }

    private void forgetIfOver(long alertSeq) {
        if (inOrder.values().stream().flatMap(Deque::stream).noneMatch(other -> other.alertSeq() == alertSeq)
                && pending.stream().noneMatch(other -> other.alertSeq() == alertSeq)) {
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
        redelivered.remove(List.of(report.alertId(), delivery.endpoint()));
        releaseNext(delivery, report.account());
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
