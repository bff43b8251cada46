package dev.vigil.cdc.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.cdc.Row;
import dev.vigil.cdc.RowChange;
import dev.vigil.cdc.postgres.SourceFacts;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Debezium's records of a PostgreSQL database as row changes. */
final class RowChanges implements SourceRecords {

    static final String HEARTBEAT_PREFIX = "vigil-heartbeat";
    /** Debezium gives an update of the primary key as a delete and an insert, each with the other's key. */
    private static final String OLD_KEY_HEADER = "__debezium.oldkey";

    static final String SOURCE = "source";
    static final String OPERATION = "op";

    /** Of tables whose old rows are not logged in full, an old row holds made-up values beside the key. */
    private final SourceFacts facts;

    private final StructRow.Reader reader;

    RowChanges(SourceFacts facts) {
        this.facts = facts;
        this.reader = (schema, value) -> ColumnValues.of(schema, value, facts.numericDomains());
    }

    @Override
    public Optional<RowChange> read(SourceRecord record) {
        if (!(record.value() instanceof Struct value) || value.schema().field(OPERATION) == null) {
            return Optional.empty();
        }
        return operation(record, value.getString(OPERATION)).map(operation -> change(operation, record, value));
    }

    private RowChange change(RowChange.Operation operation, SourceRecord record, Struct value) {
        Struct source = value.getStruct(SOURCE);
        String table = table(source);
        return new RowChange(
                operation,
                table,
                record.key() instanceof Struct key ? new StructRow(key, reader) : null,
                facts.isFullIdentity(table) ? row(value, "before") : null,
                row(value, "after"),
                source.getInt64("lsn") == null ? EnginePosition.lsn(record) : number(source, "lsn"),
                number(source, "ts_us"));
    }

    static Optional<RowChange.Operation> operation(SourceRecord record, String code) {
        return switch (code) {
            case "r" -> Optional.of(RowChange.Operation.SNAPSHOT);
            case "c" ->
                Optional.of(
                        record.headers().lastWithName(OLD_KEY_HEADER) == null
                                ? RowChange.Operation.INSERT
                                : RowChange.Operation.UPDATE);
            case "u" -> Optional.of(RowChange.Operation.UPDATE);
            case "d" -> Optional.of(RowChange.Operation.DELETE);
            case "t" -> Optional.of(RowChange.Operation.TRUNCATE);
            default -> Optional.empty();
        };
    }

    private @Nullable Row row(Struct value, String name) {
        Schema schema = value.schema();
        Struct struct = schema.field(name) == null ? null : value.getStruct(name);
        return struct == null ? null : new StructRow(struct, reader);
    }

    private static long number(Struct source, String name) {
        Long value = source.getInt64(name);
        return value == null ? 0 : value;
    }

    /** The database's clock writes it into one of our heartbeats. */
    @Override
    public OptionalLong heartbeatUs(SourceRecord record) {
        if (!(record.value() instanceof Struct value) || value.schema().field("message") == null) {
            return OptionalLong.empty();
        }
        Struct message = value.getStruct("message");
        if (message == null || !HEARTBEAT_PREFIX.equals(message.getString("prefix"))) {
            return OptionalLong.empty();
        }
        Object content = message.get("content");
        ByteBuffer bytes = content instanceof byte[] array ? ByteBuffer.wrap(array) : (ByteBuffer) content;
        String text = UTF_8.decode(bytes.duplicate()).toString();
        return text.matches("\\d{1,18}") ? OptionalLong.of(Long.parseLong(text)) : OptionalLong.empty();
    }

    @Override
    public RowChange moment(SourceRecord record) {
        long committedUs = record.sourceOffset().get("ts_usec") instanceof Number us ? us.longValue() : 0;
        return new RowChange(
                RowChange.Operation.SNAPSHOT, "", null, null, null, EnginePosition.lsn(record), committedUs);
    }

    @Override
    public String table(SourceRecord record) {
        return table(((Struct) record.value()).getStruct(SOURCE));
    }

    private static String table(Struct source) {
        return source.getString("schema") + "." + source.getString("table");
    }

    @Override
    public long lsn(SourceRecord record) {
        return EnginePosition.lsn(record);
    }

    @Override
    public Map<String, String> after(SourceRecord record) {
        return EnginePosition.after(record, record.sourceOffset());
    }

    @Override
    public boolean isExact() {
        return false;
    }

    @Override
    public boolean isInsideSnapshot(SourceRecord record) {
        return EnginePosition.isInsideSnapshot(record);
    }

    @Override
    public boolean endsSnapshot(SourceRecord record) {
        return EnginePosition.endsSnapshot(record);
    }
}
