package dev.vigil.cdc.debezium;

import dev.vigil.cdc.Row;
import dev.vigil.cdc.RowChange;
import dev.vigil.cdc.mysql.BinlogPosition;
import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** The engine's records of a MySQL server as row changes. A log position is the binary log's number and the offset in it. */
final class MySqlRecords implements SourceRecords {

    private static final String FILE = "file";
    private static final String OFFSET = "pos";
    private static final String GTIDS = "gtids";
    private static final String SECONDS = "ts_sec";

    /** How far the stream was read; empty before the first snapshot was complete. */
    static Optional<BinlogPosition> position(Map<String, String> offsets) {
        for (String offset : offsets.values()) {
            Map<String, Object> position = Json.decodeObject(offset.getBytes(StandardCharsets.UTF_8));
            if (!EnginePosition.hasSnapshot(position)) {
                return Optional.of(position(position.get(FILE), position.get(OFFSET)));
            }
        }
        return Optional.empty();
    }

    /** The transactions that were read; empty where the server does not number them. */
    static String gtids(Map<String, String> offsets) {
        for (String offset : offsets.values()) {
            Object gtids =
                    Json.decodeObject(offset.getBytes(StandardCharsets.UTF_8)).get(GTIDS);
            if (gtids != null) {
                return String.valueOf(gtids);
            }
        }
        return "";
    }

    private static BinlogPosition position(@Nullable Object file, @Nullable Object offset) {
        return new BinlogPosition(String.valueOf(file), offset instanceof Number number ? number.longValue() : 0);
    }

    @Override
    public Optional<RowChange> read(SourceRecord record) {
        if (!(record.value() instanceof Struct value) || value.schema().field(RowChanges.OPERATION) == null) {
            return Optional.empty();
        }
        return RowChanges.operation(record, value.getString(RowChanges.OPERATION))
                .map(operation -> change(operation, record, value));
    }

    private RowChange change(RowChange.Operation operation, SourceRecord record, Struct value) {
        Struct source = value.getStruct(RowChanges.SOURCE);
        Long committedUs = source.getInt64("ts_us");
        return new RowChange(
                operation,
                table(record),
                record.key() instanceof Struct key ? new StructRow(key, MySqlValues::of) : null,
                row(value, "before"),
                row(value, "after"),
                lsn(record),
                committedUs == null ? 0 : committedUs);
    }

    private static @Nullable Row row(Struct value, String name) {
        Struct struct = value.schema().field(name) == null ? null : value.getStruct(name);
        return struct == null ? null : new StructRow(struct, MySqlValues::of);
    }

    /** The engine's heartbeats tell where the log is, and not when. */
    @Override
    public OptionalLong heartbeatUs(SourceRecord record) {
        return OptionalLong.empty();
    }

    @Override
    public RowChange moment(SourceRecord record) {
        long second = record.sourceOffset().get(SECONDS) instanceof Number number ? number.longValue() : 0;
        return new RowChange(RowChange.Operation.SNAPSHOT, "", null, null, null, lsn(record), second * 1_000_000);
    }

    @Override
    public String table(SourceRecord record) {
        Struct source = ((Struct) record.value()).getStruct(RowChanges.SOURCE);
        return source.getString("db") + "." + source.getString("table");
    }

    /** Of the event that holds the row, where there is one; the engine's own position is that of the transaction. */
    @Override
    public long lsn(SourceRecord record) {
        if (record.value() instanceof Struct value && value.schema().field(RowChanges.SOURCE) != null) {
            Struct source = value.getStruct(RowChanges.SOURCE);
            if (!source.getString(FILE).isEmpty()) {
                return position(source.getString(FILE), source.getInt64(OFFSET)).lsn();
            }
        }
        return position(record.sourceOffset().get(FILE), record.sourceOffset().get(OFFSET))
                .lsn();
    }

    /** At the end of a snapshot the engine's position still says that one goes on; without that, the stream begins there. */
    @Override
    public Map<String, String> after(SourceRecord record) {
        Map<String, Object> offset = new LinkedHashMap<>(record.sourceOffset());
        if (endsSnapshot(record)) {
            offset.remove("snapshot");
            offset.remove("snapshot_completed");
        }
        return EnginePosition.after(record, offset);
    }

    /** The engine counts the rows of an event. */
    @Override
    public boolean isExact() {
        return true;
    }

    @Override
    public boolean isInsideSnapshot(SourceRecord record) {
        return EnginePosition.hasSnapshot(record.sourceOffset()) && !isLast(record);
    }

    @Override
    public boolean endsSnapshot(SourceRecord record) {
        return EnginePosition.hasSnapshot(record.sourceOffset()) && isLast(record);
    }

    private static boolean isLast(SourceRecord record) {
        return record.value() instanceof Struct value
                && value.schema().field(RowChanges.SOURCE) != null
                && "last".equals(value.getStruct(RowChanges.SOURCE).getString("snapshot"));
    }
}
