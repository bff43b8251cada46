package dev.vigil.cdc.debezium;

import dev.vigil.cdc.ColumnValue;
import dev.vigil.cdc.Row;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;

/** A row as the engine gives it. */
record MySqlRow(Struct struct) implements Row {

    @Override
    public List<String> columns() {
        return struct.schema().fields().stream().map(Field::name).toList();
    }

    @Override
    public ColumnValue column(String name) {
        Field field = struct.schema().field(name);
        return field == null
                ? ColumnValue.Unusable.noSuchColumn()
                : MySqlValues.of(field.schema(), struct.getWithoutDefault(name));
    }
}
