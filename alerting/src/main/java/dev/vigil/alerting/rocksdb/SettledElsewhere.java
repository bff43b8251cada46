package dev.vigil.alerting.rocksdb;

import dev.vigil.alerting.IntakeBatch;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Deliveries that another instance ended while this one did not deliver. There are none as long as one instance delivers alone, and
 * then nothing is looked up. Used under the outbox's lock.
 */
final class SettledElsewhere {
    private static final int FORGET_MAX = 10_000;

    private final OutboxDatabase database;
    private boolean any;

    /** One delivery and how it ended. */
    record Ended(String alertId, String endpoint, Delivery.Outcome outcome) {}

    /**
     * What is left of alerts that are taken.
     *
     * @param pending the alerts, with the endpoints that still wait for them
     */
    record Taken(List<IntakeBatch.RoutedAlert> pending, List<Ended> ended) {
        /** Each was asked for; an alert is taken once. */
        void addTo(WriteBatch changes) throws RocksDBException {
            for (Ended one : ended) {
                changes.delete(OutboxKeys.settled(one.alertId, one.endpoint));
            }
        }
    }

    SettledElsewhere(OutboxDatabase database) {
        this.database = database;
        try (OutboxDatabase.Scan scan = database.scan(OutboxKeys.settledFrom(), OutboxKeys.settledEnd())) {
            this.any = scan.at().isValid();
            scan.check();
        }
    }

    void put(WriteBatch changes, List<Delivery> ended) throws RocksDBException {
        for (Delivery delivery : ended) {
            changes.put(
                    OutboxKeys.settled(delivery.alertId(), String.valueOf(delivery.endpoint())),
                    ByteBuffer.allocate(1 + Long.BYTES)
                            .put((byte) (delivery.outcome() == Delivery.Outcome.DELIVERED ? 1 : 0))
                            .putLong(delivery.attemptedAtMs())
                            .array());
            any = true;
        }
    }

    Optional<Delivery.Outcome> outcome(String alertId, String endpoint) {
        return outcome(alertId, endpoint, Long.MIN_VALUE);
    }

    /** @param sinceMs an attempt before does not count */
    Optional<Delivery.Outcome> outcome(String alertId, String endpoint, long sinceMs) {
        if (!any) {
            return Optional.empty();
        }
        return database.find(OutboxKeys.settled(alertId, endpoint))
                .filter(value -> attemptedAtMs(value) >= sinceMs)
                .map(value -> value[0] == 1 ? Delivery.Outcome.DELIVERED : Delivery.Outcome.GIVEN_UP);
    }

    private static long attemptedAtMs(byte[] value) {
        return ByteBuffer.wrap(value, 1, Long.BYTES).getLong();
    }

    void remove(WriteBatch changes, String alertId, String endpoint) throws RocksDBException {
        if (any) {
            changes.delete(OutboxKeys.settled(alertId, endpoint));
        }
    }

    Taken take(List<IntakeBatch.RoutedAlert> alerts) {
        if (!any) {
            return new Taken(alerts, List.of());
        }
        List<IntakeBatch.RoutedAlert> pending = new ArrayList<>();
        List<Ended> ended = new ArrayList<>();
        for (IntakeBatch.RoutedAlert alert : alerts) {
            String alertId = Json.decode(alert.json(), Alert.class).alertId();
            List<String> waiting = new ArrayList<>();
            for (String endpoint : alert.endpoints()) {
                outcome(alertId, endpoint)
                        .ifPresentOrElse(
                                outcome -> ended.add(new Ended(alertId, endpoint, outcome)),
                                () -> waiting.add(endpoint));
            }
            if (!waiting.isEmpty()) {
                pending.add(alert.to(waiting));
            }
        }
        return new Taken(pending, ended);
    }

    void forget(long beforeMs) {
        boolean more = any;
        byte[] from = OutboxKeys.settledFrom();
        while (more) {
            byte[] next = forgetSome(from, beforeMs);
            more = next.length > 0;
            from = next;
        }
    }

    /** @return where to go on; empty at the end */
    private byte[] forgetSome(byte[] from, long beforeMs) {
        List<byte[]> old = new ArrayList<>();
        byte[] next = {};
        try (OutboxDatabase.Scan scan = database.scan(from, OutboxKeys.settledEnd())) {
            RocksIterator at = scan.at();
            for (; at.isValid() && old.size() < FORGET_MAX; at.next()) {
                if (attemptedAtMs(at.value()) < beforeMs) {
                    old.add(at.key());
                }
            }
            scan.check();
            if (at.isValid()) {
                next = at.key();
            }
        }
        database.write(changes -> {
            for (byte[] key : old) {
                changes.delete(key);
            }
        });
        return next;
    }
}
