package dev.vigil.alerting.rocksdb;

import dev.vigil.alerting.AlertAgain;
import dev.vigil.alerting.CooldownMark;
import dev.vigil.alerting.DisabledEndpoint;
import dev.vigil.alerting.DueDeliveries;
import dev.vigil.alerting.IntakeBatch;
import dev.vigil.alerting.LogPartition;
import dev.vigil.alerting.NumberedRecord;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutboxCounts;
import dev.vigil.alerting.OutgoingRecord;
import dev.vigil.alerting.PendingDelivery;
import dev.vigil.alerting.StoredAlert;
import dev.vigil.alerting.cases.CaseStore;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * The outbox on RocksDB. One lock orders all changes: the intake, the dispatcher and the publisher each hold it for one
 * batch, some tens of microseconds. The write-ahead log is on and not synced, which is what a kill of the process needs.
 *
 * <p>Deleted keys linger in RocksDB until it compacts, and a scan from the front of a queue would walk over them. So the
 * outbox remembers where each endpoint's queue begins ({@code dueFloors}) and scans from there.
 */
public final class RocksDbOutbox implements Outbox {
    private static final long PRUNE_EVERY_US = 60_000_000L;
    private static final int PRUNE_MAX = 10_000;

    private final OutboxDatabase database;
    // Everything down to the counts is guarded by this; counts are only written under it.
    /** No delivery of the endpoint is due before; absent: not known yet. */
    private final Map<String, Long> dueFloorsMs = new HashMap<>();

    private final SettledElsewhere settled;

    private final RocksDbCases cases;

    private final Redelivered redelivered;

    private final AccountOrder order;

    private final String id;

    private final Map<Integer, Long> prunedAtUs = new HashMap<>();

    private long nextAlertSeq = 1;

    private long nextRecordSeq = 1;

    private volatile OutboxCounts counts = OutboxCounts.ZERO;

    private RocksDbOutbox(OutboxDatabase database) {
        this.database = database;
        this.settled = new SettledElsewhere(database);
        this.cases = new RocksDbCases(database, this);
        this.redelivered = new Redelivered(database);
        this.order = new AccountOrder(database);
        this.id = database.find(OutboxKeys.ID)
                .map(value -> new String(value, StandardCharsets.UTF_8))
                .orElseGet(() -> UUID.randomUUID().toString());
        database.write(changes -> changes.put(OutboxKeys.ID, id.getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Opens the outbox in the directory, or creates it.
     *
     * @throws dev.vigil.service.ServiceException if another process has it open, another version wrote it, or the disk
     *     refuses
     */
    public static RocksDbOutbox open(Path directory) {
        RocksDbOutbox outbox = new RocksDbOutbox(OutboxDatabase.open(directory));
        outbox.readTotals();
        return outbox;
    }

    private synchronized void readTotals() {
        database.find(OutboxKeys.SEQUENCES).map(ByteBuffer::wrap).ifPresent(value -> {
            nextAlertSeq = value.getLong();
            nextRecordSeq = value.getLong();
        });
        database.find(OutboxKeys.COUNTS).ifPresent(value -> counts = Json.decode(value, OutboxCounts.class));
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public synchronized OptionalLong nextOffset(LogPartition partition) {
        return number(OutboxKeys.nextOffset(partition));
    }

    @Override
    public synchronized OptionalLong passedOffset(LogPartition logPartition) {
        return number(OutboxKeys.passedOffset(logPartition));
    }

    private OptionalLong number(byte[] key) {
        Optional<byte[]> value = database.find(key);
        return value.isPresent() ? OptionalLong.of(OutboxValues.number(value.get())) : OptionalLong.empty();
    }

    @Override
    public synchronized Optional<CooldownMark> mark(CooldownMark.Group group) {
        return database.find(OutboxKeys.mark(group)).map(value -> OutboxValues.mark(group, value));
    }

    @Override
    public CaseStore cases() {
        return cases;
    }

    @Override
    public synchronized void accept(IntakeBatch batch) {
        OutboxCounts newCounts = counts.plus(batch);
        SettledElsewhere.Taken taken = settled.take(batch.alerts());
        for (SettledElsewhere.Ended ended : taken.ended()) {
            newCounts = newCounts.plusSettled(ended.endpoint(), ended.outcome());
        }
        write(newCounts, changes -> {
            putOffsets(changes, batch.nextOffsets());
            taken.addTo(changes);
            for (Map.Entry<LogPartition, Long> passed : batch.passedOffsets().entrySet()) {
                changes.put(OutboxKeys.passedOffset(passed.getKey()), OutboxValues.number(passed.getValue()));
            }
            AccountOrder.Arrivals arrivals = order.new Arrivals();
            for (IntakeBatch.RoutedAlert alert : taken.pending()) {
                putAlert(changes, alert, arrivals);
            }
            for (OutgoingRecord outgoing : batch.outgoing()) {
                putOutgoing(changes, outgoing);
            }
            for (Map.Entry<Integer, Long> eventTime : batch.eventTimesUs().entrySet()) {
                pruneMarks(changes, eventTime.getKey(), eventTime.getValue());
            }
            for (CooldownMark mark : batch.marks()) {
                changes.put(OutboxKeys.mark(mark.group()), OutboxValues.mark(mark));
                changes.put(OutboxKeys.expiry(mark), new byte[0]);
            }
            cases.put(changes, batch.cases(), batch.eventTimesUs());
        });
    }

    private static void putOffsets(WriteBatch changes, Map<LogPartition, Long> nextOffsets) throws RocksDBException {
        for (Map.Entry<LogPartition, Long> next : nextOffsets.entrySet()) {
            changes.put(OutboxKeys.nextOffset(next.getKey()), OutboxValues.number(next.getValue()));
        }
    }

    private void putAlert(WriteBatch changes, IntakeBatch.RoutedAlert alert, AccountOrder.Arrivals arrivals)
            throws RocksDBException {
        long alertSeq = nextAlertSeq++;
        changes.put(OutboxKeys.alert(alertSeq), alert.json());
        if (alert.caseId() != null) {
            changes.put(OutboxKeys.caseOf(alertSeq), OutboxValues.caseOf(alert));
        }
        changes.put(
                OutboxKeys.openDeliveries(alertSeq),
                OutboxValues.count(alert.endpoints().size()));
        for (String endpoint : alert.endpoints()) {
            PendingDelivery delivery = new PendingDelivery(endpoint, alertSeq, alert.acceptedAtMs(), 0, 0);
            if (!alert.inOrder().contains(endpoint) || !arrivals.waits(changes, delivery, alert.account())) {
                putDelivery(changes, delivery);
            }
        }
    }

    private void putDelivery(WriteBatch changes, PendingDelivery delivery) throws RocksDBException {
        changes.put(OutboxKeys.delivery(delivery), OutboxValues.delivery(delivery));
        dueFloorsMs.computeIfPresent(delivery.endpoint(), (name, floorMs) -> Math.min(floorMs, delivery.dueAtMs()));
    }

    private void putOutgoing(WriteBatch changes, OutgoingRecord outgoing) throws RocksDBException {
        changes.put(OutboxKeys.outgoing(nextRecordSeq++), OutboxValues.outgoing(outgoing));
    }

    /** Marks of the partition that expire at or before the event time, unless a newer one stands in their place. */
    private void pruneMarks(WriteBatch changes, int partition, long eventTimeUs) throws RocksDBException {
        Long prunedUs = prunedAtUs.get(partition);
        if (prunedUs != null && eventTimeUs < prunedUs + PRUNE_EVERY_US) {
            return;
        }
        byte[] end = OutboxKeys.expiryUpTo(partition, eventTimeUs + 1);
        int pruned = 0;
        try (OutboxDatabase.Scan scan = database.scan(OutboxKeys.expiriesOf(partition), end)) {
            for (RocksIterator at = scan.at(); at.isValid() && pruned < PRUNE_MAX; at.next()) {
                byte[] expiry = at.key();
                byte[] markKey = OutboxKeys.markOf(expiry);
                Optional<byte[]> mark = database.find(markKey);
                if (mark.isPresent() && OutboxValues.expiresAtUs(mark.get()) == OutboxKeys.expiresAtUs(expiry)) {
                    changes.delete(markKey);
                }
                changes.delete(expiry);
                pruned++;
            }
            scan.check();
        }
        if (pruned < PRUNE_MAX) {
            prunedAtUs.put(partition, eventTimeUs);
        }
    }

    @Override
    public synchronized DueDeliveries due(String endpoint, long nowMs, int limit) {
        byte[] from = OutboxKeys.dueFrom(endpoint, dueFloorsMs.getOrDefault(endpoint, 0L));
        List<PendingDelivery> due = new ArrayList<>();
        OptionalLong nextDueAtMs = OptionalLong.empty();
        try (OutboxDatabase.Scan scan = database.scan(from, OutboxKeys.dueEnd(endpoint))) {
            RocksIterator at = scan.at();
            dueFloorsMs.put(
                    endpoint, at.isValid() ? OutboxKeys.dueAndSeq(at.key()).getLong() : Long.MAX_VALUE);
            for (; at.isValid() && due.size() < limit; at.next()) {
                PendingDelivery delivery = OutboxValues.delivery(endpoint, at.key(), at.value());
                if (delivery.dueAtMs() > nowMs) {
                    nextDueAtMs = OptionalLong.of(delivery.dueAtMs());
                    break;
                }
                due.add(delivery);
            }
            scan.check();
        }
        return new DueDeliveries(due, nextDueAtMs);
    }

    @Override
    public synchronized StoredAlert alert(long alertSeq) {
        return database.find(OutboxKeys.alert(alertSeq))
                .map(json -> OutboxValues.alert(json, database.find(OutboxKeys.caseOf(alertSeq))))
                .orElseThrow(() -> new IllegalStateException("no alert " + alertSeq + " in the outbox"));
    }

    @Override
    public synchronized void reschedule(PendingDelivery delivery, PendingDelivery next, Delivery report) {
        write(counts.plus(delivery, report), changes -> {
            changes.delete(OutboxKeys.delivery(delivery));
            putDelivery(changes, next);
            putOutgoing(changes, OutgoingRecord.of(report));
        });
    }

    @Override
    public synchronized void finish(PendingDelivery delivery, Delivery report) {
        write(counts.plus(delivery, report), changes -> {
            changes.delete(OutboxKeys.delivery(delivery));
            putOutgoing(changes, OutgoingRecord.of(report));
            redelivered.remove(changes, report.alertId(), delivery.endpoint());
            releaseNext(changes, delivery, report.account());
            releaseAlert(changes, delivery.alertSeq());
        });
    }

    @Override
    public synchronized void settle(List<Delivery> ended, Map<LogPartition, Long> nextOffsets) {
        database.write(changes -> {
            settled.put(changes, ended);
            putOffsets(changes, nextOffsets);
        });
    }

    @Override
    public synchronized boolean finishIfSettled(PendingDelivery delivery, String alertId) {
        long sinceMs = redelivered.requestedAtMs(alertId, delivery.endpoint()).orElse(Long.MIN_VALUE);
        Optional<Delivery.Outcome> outcome = settled.outcome(alertId, delivery.endpoint(), sinceMs);
        outcome.ifPresent(ended -> write(counts.plusSettled(delivery.endpoint(), ended), changes -> {
            settled.remove(changes, alertId, delivery.endpoint());
            redelivered.remove(changes, alertId, delivery.endpoint());
            changes.delete(OutboxKeys.delivery(delivery));
            Alert alert = Json.decode(alert(delivery.alertSeq()).json(), Alert.class);
            releaseNext(changes, delivery, alert.account());
            releaseAlert(changes, delivery.alertSeq());
        }));
        return outcome.isPresent();
    }

    @Override
    public synchronized int redeliver(String endpoint, List<AlertAgain> alerts, boolean inOrder, long nowMs) {
        List<AlertAgain> wanted = alerts.stream()
                .filter(alert -> !isRedelivery(alert.alertId(), endpoint))
                .toList();
        Set<String> ordered = inOrder ? Set.of(endpoint) : Set.of();
        write(counts.plusRedelivered(endpoint, wanted.size()), changes -> {
            AccountOrder.Arrivals arrivals = order.new Arrivals();
            for (AlertAgain alert : wanted) {
                settled.remove(changes, alert.alertId(), endpoint);
                redelivered.put(changes, alert.alertId(), endpoint, nowMs);
                putAlert(
                        changes,
                        new IntakeBatch.RoutedAlert(
                                alert.json(), List.of(endpoint), nowMs, null, false, alert.account(), ordered),
                        arrivals);
            }
        });
        return wanted.size();
    }

    @Override
    public synchronized boolean isRedelivery(String alertId, String endpoint) {
        return redelivered.requestedAtMs(alertId, endpoint).isPresent();
    }

    @Override
    public synchronized void forgetSettled(long beforeMs) {
        settled.forget(beforeMs);
    }

    private void releaseNext(WriteBatch changes, PendingDelivery over, String account) throws RocksDBException {
        PendingDelivery next = order.next(changes, over, account);
        if (next != null) {
            putDelivery(changes, next);
        }
    }

    private void releaseAlert(WriteBatch changes, long alertSeq) throws RocksDBException {
        byte[] openKey = OutboxKeys.openDeliveries(alertSeq);
        int open = database.find(openKey)
                .map(OutboxValues::count)
                .orElseThrow(() -> new IllegalStateException("alert " + alertSeq + " has no open deliveries"));
        if (open > 1) {
            changes.put(openKey, OutboxValues.count(open - 1));
        } else {
            changes.delete(openKey);
            changes.delete(OutboxKeys.alert(alertSeq));
            changes.delete(OutboxKeys.caseOf(alertSeq));
        }
    }

    @Override
    public synchronized Optional<DisabledEndpoint> disabled(String endpoint) {
        return database.find(OutboxKeys.disabled(endpoint)).map(value -> Json.decode(value, DisabledEndpoint.class));
    }

    @Override
    public synchronized void disable(DisabledEndpoint endpoint) {
        write(counts, changes -> changes.put(OutboxKeys.disabled(endpoint.endpoint()), Json.encode(endpoint)));
    }

    @Override
    public synchronized void enable(String endpoint) {
        write(counts, changes -> changes.delete(OutboxKeys.disabled(endpoint)));
    }

    @Override
    public synchronized List<NumberedRecord> unpublished(long afterSeq, int limit) {
        List<NumberedRecord> records = new ArrayList<>();
        try (OutboxDatabase.Scan scan = database.scan(OutboxKeys.outgoing(afterSeq + 1), OutboxKeys.outgoingEnd())) {
            for (RocksIterator at = scan.at(); at.isValid() && records.size() < limit; at.next()) {
                records.add(new NumberedRecord(OutboxKeys.recordSeq(at.key()), OutboxValues.outgoing(at.value())));
            }
            scan.check();
        }
        return records;
    }

    @Override
    public synchronized void published(List<NumberedRecord> records) {
        write(counts, changes -> {
            for (NumberedRecord published : records) {
                changes.delete(OutboxKeys.outgoing(published.seq()));
            }
        });
    }

    @Override
    public OutboxCounts counts() {
        return counts;
    }

    private void write(OutboxCounts newCounts, OutboxDatabase.Changes changes) {
        database.write(batch -> {
            changes.addTo(batch);
            batch.put(OutboxKeys.SEQUENCES, OutboxValues.sequences(nextAlertSeq, nextRecordSeq));
            batch.put(OutboxKeys.COUNTS, Json.encode(newCounts));
        });
        counts = newCounts;
    }

    @Override
    public synchronized void close() {
        database.close();
    }
}
