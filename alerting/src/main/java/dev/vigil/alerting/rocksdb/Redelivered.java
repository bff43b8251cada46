package dev.vigil.alerting.rocksdb;

import java.util.OptionalLong;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Deliveries that are made once more because somebody asked for it, with the time of the request. As long as there are none, nothing
 * is looked up. Used under the outbox's lock.
 */
final class Redelivered {
    private final OutboxDatabase database;
    private boolean any;

    Redelivered(OutboxDatabase database) {
        this.database = database;
        try (OutboxDatabase.Scan scan = database.scan(OutboxKeys.redeliveredFrom(), OutboxKeys.redeliveredEnd())) {
            RocksIterator at = scan.at();
            this.any = at.isValid();
            scan.check();
        }
    }

    /** Empty where nobody asked for it, or it is over. */
    OptionalLong requestedAtMs(String alertId, String endpoint) {
        if (!any) {
            return OptionalLong.empty();
        }
        return database.find(OutboxKeys.redelivered(alertId, endpoint)).stream()
                .mapToLong(OutboxValues::number)
                .findFirst();
    }

    void put(WriteBatch changes, String alertId, String endpoint, long requestedAtMs) throws RocksDBException {
        changes.put(OutboxKeys.redelivered(alertId, endpoint), OutboxValues.number(requestedAtMs));
        any = true;
    }

    void remove(WriteBatch changes, String alertId, String endpoint) throws RocksDBException {
        if (any) {
            changes.delete(OutboxKeys.redelivered(alertId, endpoint));
        }
    }
}
