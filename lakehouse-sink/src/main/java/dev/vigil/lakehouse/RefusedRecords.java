package dev.vigil.lakehouse;

import dev.vigil.event.DeadLetter;

/**
 * Where records go that cannot become a row. Called by the threads of all tables. After a crash a record may be refused
 * twice.
 */
public interface RefusedRecords {
    void refuse(HistoryTable table, RawRecord record, DeadLetter letter);

    /** Returns when everything refused before is safely kept; throws an unchecked exception if it cannot be. */
    void flush();
}
