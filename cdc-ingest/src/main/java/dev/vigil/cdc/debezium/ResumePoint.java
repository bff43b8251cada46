package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CapturePosition;
import io.debezium.engine.RecordChangeEvent;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/**
 * Where a later run reads on. The engine reads on after a log position and so would lose the other rows at the same one: COPY
 * writes hundreds of rows as one record of the database's log. So the point moves on only when a record at another position
 * follows, and the changes at the open position are counted, to be passed over when they come again. One thread.
 */
final class ResumePoint {

    private final SourceRecords records;
    private Map<String, String> settled;
    private long openLsn;
    private int openCount;
    private int toPassOver;
    private @Nullable RecordChangeEvent<SourceRecord> last;
    private @Nullable RecordChangeEvent<SourceRecord> settledEvent;

    ResumePoint(SourceRecords records, CapturePosition stored) {
        this.records = records;
        settled = stored.offsets();
        openLsn = stored.openLsn();
        toPassOver = stored.openCount();
    }

    /**
     * Called with each record before it is processed.
     *
     * @param isChange whether it is a change of a row, rather than a heartbeat
     * @return false if an earlier run has processed the change
     */
    boolean enter(RecordChangeEvent<SourceRecord> event, boolean isChange) {
        SourceRecord record = event.record();
        if (records.isInsideSnapshot(record)) {
            return true; // a snapshot that is not complete begins anew
        }
        long lsn = records.lsn(record);
        if (last != null && lsn != openLsn) {
            settle(last);
        }
        if (last == null && lsn != openLsn) {
            toPassOver = 0;
        }
        openLsn = lsn;
        last = event;
        if (records.endsSnapshot(record)) {
            settle(event);
            return true;
        }
        if (!isChange) {
            if (records.isExact()) {
                settle(event); // one heartbeat after the other may come from the same place
            }
            return true;
        }
        openCount++;
        if (toPassOver > 0) {
            toPassOver--;
            return false;
        }
        return true;
    }

    private void settle(RecordChangeEvent<SourceRecord> event) {
        settled = records.after(event.record());
        settledEvent = event;
        openCount = 0;
        toPassOver = 0;
    }

    CapturePosition position() {
        return new CapturePosition(settled, openLsn, openCount + toPassOver);
    }

    /** The record whose position may be confirmed to the database once {@link #position} is stored; null if none is new. */
    @Nullable
    RecordChangeEvent<SourceRecord> takeSettled() {
        RecordChangeEvent<SourceRecord> event = settledEvent;
        settledEvent = null;
        return event;
    }
}
