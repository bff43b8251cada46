package dev.vigil.lakehouse.iceberg;

import dev.vigil.lakehouse.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Adds columns to the structs of a table. */
final class SchemaGrowth {
    private static final int ATTEMPTS = 20;

    private SchemaGrowth() {}

    /**
     * Adds what is not there yet; what another sink added meanwhile is there. The table is refreshed when this returns.
     *
     * @param columns by struct
     */
    static void add(Table table, Map<String, Map<String, ColumnType>> columns) {
        for (int attempt = 1; ; attempt++) {
            table.refresh();
            UpdateSchema update = table.updateSchema();
            boolean changes = false;
            for (Map.Entry<String, Map<String, ColumnType>> struct : columns.entrySet()) {
                changes |= plan(table.schema(), update, struct.getKey(), struct.getValue());
            }
            if (!changes) {
                return;
            }
            try {
                update.commit();
                return;
            } catch (CommitFailedException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Before corrections were written, a revision was an int. */
    static Table withLongRevision(Table table) {
        Types.NestedField revision = table.schema().findField(HistorySchemas.REVISION);
        if (revision != null && revision.type().typeId() == Type.TypeID.INTEGER) {
            table.updateSchema()
                    .updateColumn(HistorySchemas.REVISION, Types.LongType.get())
                    .commit();
        }
        return table;
    }

    private static boolean plan(Schema schema, UpdateSchema update, String struct, Map<String, ColumnType> columns) {
        Types.NestedField existing = schema.findField(struct);
        List<Types.NestedField> added = new ArrayList<>();
        columns.forEach((name, type) -> {
            if (existing == null || existing.type().asStructType().field(name) == null) {
                added.add(Types.NestedField.optional(added.size() + 1, name, StructWriter.icebergType(type)));
            }
        });
        if (added.isEmpty()) {
            return false;
        }
        if (existing == null) {
            update.addColumn(struct, Types.StructType.of(added));
        } else {
            added.forEach(field -> update.addColumn(struct, field.name(), field.type()));
        }
        return true;
    }
}
