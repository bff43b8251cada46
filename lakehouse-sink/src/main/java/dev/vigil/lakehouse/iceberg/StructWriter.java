package dev.vigil.lakehouse.iceberg;

import dev.vigil.event.EventTimes;
import dev.vigil.event.FieldType;
import dev.vigil.event.Json;
import dev.vigil.lakehouse.ColumnType;
import dev.vigil.lakehouse.StructColumns;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.jspecify.annotations.Nullable;

/** Fills {@code fields} or {@code features} of one table schema. One thread. */
final class StructWriter {
    private final String struct;
    private final StructColumns columns;
    private final @Nullable GenericRecord template;

    StructWriter(Schema schema, String struct) {
        this.struct = struct;
        Types.NestedField column = schema.findField(struct);
        Map<String, ColumnType> existing = new LinkedHashMap<>();
        if (column != null) {
            for (Types.NestedField field : column.type().asStructType().fields()) {
                ColumnType type = columnType(field.type());
                if (type != null) {
                    existing.put(field.name(), type);
                }
            }
        }
        this.columns = new StructColumns(existing);
        this.template =
                column == null ? null : GenericRecord.create(column.type().asStructType());
    }

    StructColumns columns() {
        return columns;
    }

    /** Columns to add before {@link #fill} can keep these values. Cheap when there are none, which is nearly always. */
    Map<String, ColumnType> missing(Map<String, Object> values, Map<String, ColumnType> declared) {
        Map<String, ColumnType> missing = null;
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            Object value = entry.getValue();
            if (value == null || declared.containsKey(entry.getKey()) || !columns.isFree(entry.getKey())) {
                continue;
            }
            ColumnType type = ColumnType.infer(value);
            if (type != null) {
                missing = missing == null ? new LinkedHashMap<>() : missing;
                missing.put(entry.getKey(), type);
            }
        }
        return missing == null ? Map.of() : columns.missing(missing);
    }

    /**
     * @param misfits takes, by {@code struct.name}, the JSON of each value that fits no column
     * @return absent if no column takes any value
     */
    @Nullable
    Record fill(Map<String, Object> values, Map<String, ColumnType> declared, Map<String, String> misfits) {
        GenericRecord record = null;
        for (Map.Entry<String, Object> entry : values.entrySet()) {
            String name = entry.getKey();
            Object value = entry.getValue();
            if (value == null) {
                continue;
            }
            ColumnType declaredType = declared.get(name);
            String column =
                    declaredType == null ? columns.columnTaking(name, value) : columns.columnFor(name, declaredType);
            ColumnType type = column == null ? null : columns.columns().get(column);
            Object fitted = type == null ? null : type.fit(value);
            if (type == null || fitted == null || template == null) {
                misfits.put(struct + "." + name, new String(Json.encode(value), StandardCharsets.UTF_8));
                continue;
            }
            if (record == null) {
                record = template.copy();
            }
            record.setField(column, type.type() == FieldType.TIMESTAMP ? time((Long) fitted) : fitted);
        }
        return record;
    }

    private static Object time(long timeUs) {
        return EventTimes.toInstant(timeUs).atOffset(ZoneOffset.UTC);
    }

    static Type icebergType(ColumnType type) {
        return switch (type.type()) {
            case STRING -> Types.StringType.get();
            case LONG -> Types.LongType.get();
            case DOUBLE -> Types.DoubleType.get();
            case BOOL -> Types.BooleanType.get();
            case TIMESTAMP -> Types.TimestampType.withZone();
            case MONEY -> Types.DecimalType.of(ColumnType.MONEY_PRECISION, type.digits());
        };
    }

    /** Absent for a type that Vigil never writes: a column that somebody else added. */
    static @Nullable ColumnType columnType(Type type) {
        if (type instanceof Types.DecimalType decimal && decimal.precision() == ColumnType.MONEY_PRECISION) {
            return new ColumnType(FieldType.MONEY, decimal.scale());
        }
        return SIMPLE_TYPES.get(type);
    }

    private static final Map<Type, ColumnType> SIMPLE_TYPES = new HashMap<>();

    static {
        for (FieldType type : FieldType.values()) {
            if (type != FieldType.MONEY) {
                ColumnType column = new ColumnType(type, 0);
                SIMPLE_TYPES.put(icebergType(column), column);
            }
        }
    }
}
