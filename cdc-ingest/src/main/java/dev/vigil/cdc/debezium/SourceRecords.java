package dev.vigil.cdc.debezium;

import dev.vigil.cdc.RowChange;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.connect.source.SourceRecord;

/** How the records of one kind of database are read. One thread. */
interface SourceRecords {

    /** Empty for what is no row change: heartbeats, messages, tombstones. */
    Optional<RowChange> read(SourceRecord record);

    /** The database's time that a heartbeat carries, µs since the epoch; empty for any other record. */
    OptionalLong heartbeatUs(SourceRecord record);

    /** A change of no row, with the record's position and the time that the database gave it. */
    RowChange moment(SourceRecord record);

    /** {@code schema.table} of a record that is a row change. */
    String table(SourceRecord record);

    /** Place in the database's log, which goes up along it; 0 where the record has none. */
    long lsn(SourceRecord record);

    /** The engine's position after the record, from which a later run reads on. */
    Map<String, String> after(SourceRecord record);

    /**
     * Whether reading on after any record gives all that comes after it and nothing else, also where several changes share a
     * log position.
     */
    boolean isExact();

    /** Whether the record belongs to a snapshot that goes on after it. */
    boolean isInsideSnapshot(SourceRecord record);

    /** Whether the record is the last one of a snapshot. A snapshot whose last table is empty may have none. */
    boolean endsSnapshot(SourceRecord record);
}
