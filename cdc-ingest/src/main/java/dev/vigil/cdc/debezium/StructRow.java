package dev.vigil.cdc.debezium;

import dev.vigil.cdc.ColumnValue;
import dev.vigil.cdc.Row;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

/** A row as Debezium gives it. */
record StructRow(Struct struct, Reader reader) implements Row {

    /** What a database's values become. */
    interface Reader {
        ColumnValue read(Schema schema, @Nullable Object value);
    }

    @Override
    public List<String> columns() {
        return struct.schema().fields().stream().map(Field::name).toList();
    }

    @Override
    public ColumnValue column(String name) {
        Field field = struct.schema().field(name);
        return field == null
                ? ColumnValue.Unusable.noSuchColumn()
                : reader.read(field.schema(), struct.getWithoutDefault(name));
    }
}
