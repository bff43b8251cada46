package dev.vigil.cdc.debezium;

import dev.vigil.cdc.ColumnValue;
import dev.vigil.cdc.Row;
import dev.vigil.event.DeadLetter.Reason;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;

/** A row as Debezium gives it. */
record StructRow(Struct struct) implements Row {

    @Override
    public List<String> columns() {
        return struct.schema().fields().stream().map(Field::name).toList();
    }

    @Override
    public ColumnValue column(String name) {
        Field field = struct.schema().field(name);
        if (field == null) {
            return new ColumnValue.Unusable(
                    Reason.BAD_FIELD, "expected a column of that name, found that the table has none any more");
        }
        return ColumnValues.of(field.schema(), struct.getWithoutDefault(name));
    }
}
