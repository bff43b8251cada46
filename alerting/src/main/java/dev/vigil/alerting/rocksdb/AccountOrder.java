package dev.vigil.alerting.rocksdb;

import dev.vigil.alerting.PendingDelivery;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Alerts of endpoints that want those of an account one after the other. Of each account one is among the deliveries, its head; the
 * others wait under keys of their own, where nobody walks over them, and each becomes the head when the one before it is over. Both are one
 * look-up, however many wait. As long as there are none, nothing is looked up. Used under the outbox's lock.
 */
final class AccountOrder {
    private final OutboxDatabase database;
    private boolean any;

    AccountOrder(OutboxDatabase database) {
        this.database = database;
        try (OutboxDatabase.Scan scan = database.scan(OutboxKeys.orderHeadsFrom(), OutboxKeys.orderHeadsEnd())) {
            this.any = scan.at().isValid();
            scan.check();
        }
    }

    /** What one write adds; sees what it has added before. */
    final class Arrivals {
        private final Set<List<String>> heads = new HashSet<>();

        /** @return whether it waits, or is the head of its account and may be delivered */
        boolean waits(WriteBatch changes, PendingDelivery delivery, String account) throws RocksDBException {
            String endpoint = delivery.endpoint();
            List<String> place = List.of(endpoint, account);
            byte[] headKey = OutboxKeys.orderHead(endpoint, account);
            if (heads.contains(place) || any && database.find(headKey).isPresent()) {
                changes.put(
                        OutboxKeys.orderWaiting(endpoint, account, delivery.alertSeq()),
                        OutboxValues.number(delivery.dueAtMs()));
                return true;
            }
            changes.put(headKey, OutboxValues.number(delivery.alertSeq()));
            heads.add(place);
            any = true;
            return false;
        }
    }

    /**
     * The delivery is over.
     *
     * @return the one that waited for it, due at once; null if none did
     */
    @Nullable
    PendingDelivery next(WriteBatch changes, PendingDelivery over, String account) throws RocksDBException {
        if (!any) {
            return null;
        }
        String endpoint = over.endpoint();
        byte[] headKey = OutboxKeys.orderHead(endpoint, account);
        Optional<byte[]> head = database.find(headKey);
        if (head.isEmpty() || OutboxValues.number(head.get()) != over.alertSeq()) {
            return null;
        }
        byte[] from = OutboxKeys.orderWaiting(endpoint, account, over.alertSeq() + 1);
        byte[] end = OutboxKeys.orderWaiting(endpoint, account, Long.MAX_VALUE);
        // From the head on: what was deleted before it is not walked over.
        try (OutboxDatabase.Scan scan = database.scan(from, end)) {
            RocksIterator at = scan.at();
            if (at.isValid()) {
                byte[] key = at.key();
                long alertSeq = OutboxKeys.waitingSeq(key);
                long acceptedAtMs = OutboxValues.number(at.value());
                changes.delete(key);
                changes.put(headKey, OutboxValues.number(alertSeq));
                return new PendingDelivery(endpoint, alertSeq, Math.max(over.dueAtMs(), acceptedAtMs), 0, acceptedAtMs);
            }
            scan.check();
        }
        changes.delete(headKey);
        return null;
    }
}
