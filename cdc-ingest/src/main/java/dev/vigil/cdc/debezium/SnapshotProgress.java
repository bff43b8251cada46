package dev.vigil.cdc.debezium;

import dev.vigil.service.status.SnapshotStatus;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far the snapshot is, if one is being read. Written by the engine's thread, read by any. */
final class SnapshotProgress {

    private static final Logger log = LoggerFactory.getLogger(SnapshotProgress.class);
    private static final String ON_DEMAND = "incremental";
    /** Part of the position while tables that were asked for are being read. */
    private static final String ON_DEMAND_TABLES = "incremental_snapshot_collections";

    private volatile @Nullable Long expectedRows;
    private volatile @Nullable SnapshotStatus status;

    /**
     * A run begins, which may begin with a snapshot.
     *
     * @param rows how many there may be; null if that is not known
     */
    void expect(@Nullable Long rows) {
        expectedRows = rows;
        status = null;
    }

    /** Null while none is being read. */
    @Nullable
    SnapshotStatus status() {
        return status;
    }

    /** Whether the record is a row that a snapshot read beside the stream. */
    static boolean isOnDemand(SourceRecord record) {
        return record.value() instanceof Struct value
                && value.schema().field("source") != null
                && ON_DEMAND.equals(value.getStruct("source").getString("snapshot"));
    }

    /** Called with each record of the engine, in its order. */
    void see(SourceRecord record, SourceRecords records, boolean insideSnapshot) {
        SnapshotStatus before = status;
        boolean onDemand = isOnDemand(record);
        if (insideSnapshot || onDemand) {
            String table = records.table(record);
            long rows = before == null ? 0 : before.rows();
            status = new SnapshotStatus(table, rows + 1, onDemand ? null : expectedRows, onDemand);
        } else if (before != null && !record.sourceOffset().containsKey(ON_DEMAND_TABLES)) {
            log.info("snapshot done: {} rows", before.rows());
            status = null;
        }
    }
}
