package dev.vigil.cdc.debezium;

import dev.vigil.cdc.Row;
import dev.vigil.cdc.RowChange;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

/** Debezium's records as row changes. */
final class RowChanges {

    /** Tables whose old rows are logged in full; of others an old row holds made-up values beside the key. */
    private final Set<String> fullIdentityTables;

    RowChanges(Set<String> fullIdentityTables) {
        this.fullIdentityTables = Set.copyOf(fullIdentityTables);
    }

    /** Empty for what is no row change: heartbeats, logical messages, tombstones. */
    Optional<RowChange> read(SourceRecord record) {
        if (!(record.value() instanceof Struct value) || value.schema().field("op") == null) {
            return Optional.empty();
        }
        return operation(value.getString("op")).map(operation -> change(operation, record, value));
    }

    private RowChange change(RowChange.Operation operation, SourceRecord record, Struct value) {
        Struct source = value.getStruct("source");
        String table = source.getString("schema") + "." + source.getString("table");
        return new RowChange(
                operation,
                table,
                record.key() instanceof Struct key ? new StructRow(key) : null,
                fullIdentityTables.contains(table) ? row(value, "before") : null,
                row(value, "after"),
                number(source, "lsn"),
                number(source, "ts_us"));
    }

    private static Optional<RowChange.Operation> operation(String code) {
        return switch (code) {
            case "r" -> Optional.of(RowChange.Operation.SNAPSHOT);
            case "c" -> Optional.of(RowChange.Operation.INSERT);
            case "u" -> Optional.of(RowChange.Operation.UPDATE);
            case "d" -> Optional.of(RowChange.Operation.DELETE);
            case "t" -> Optional.of(RowChange.Operation.TRUNCATE);
            default -> Optional.empty();
        };
    }

    private static @Nullable Row row(Struct value, String name) {
        Schema schema = value.schema();
        Struct struct = schema.field(name) == null ? null : value.getStruct(name);
        return struct == null ? null : new StructRow(struct);
    }

    private static long number(Struct source, String name) {
        Long value = source.getInt64(name);
        return value == null ? 0 : value;
    }

    /** Whether the record belongs to a snapshot that goes on after it. */
    static boolean isInsideSnapshot(SourceRecord record) {
        return PositionFile.isInsideSnapshot(record.sourceOffset());
    }
}
