package dev.vigil.cdc.debezium;

import dev.vigil.cdc.ColumnValue;
import dev.vigil.cdc.Row;
import dev.vigil.cdc.postgres.SourceFacts;
import java.util.List;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;

/** A row as Debezium gives it. */
record StructRow(Struct struct, SourceFacts facts) implements Row {

    @Override
    public List<String> columns() {
        return struct.schema().fields().stream().map(Field::name).toList();
    }

    @Override
    public ColumnValue column(String name) {
        Field field = struct.schema().field(name);
        return field == null
                ? ColumnValue.Unusable.noSuchColumn()
                : ColumnValues.of(field.schema(), struct.getWithoutDefault(name), facts.numericDomains());
    }
}
