package dev.vigil.lakehouse.iceberg;

import java.util.stream.Collectors;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/** Iceberg types as DuckDB writes them. */
final class SqlTypes {
    private SqlTypes() {}

    /** @throws IllegalArgumentException for a type that no table of Vigil has */
    static String of(Type type) {
        return switch (type.typeId()) {
            case BOOLEAN -> "BOOLEAN";
            case INTEGER -> "INTEGER";
            case LONG -> "BIGINT";
            case FLOAT -> "FLOAT";
            case DOUBLE -> "DOUBLE";
            case DATE -> "DATE";
            case TIME -> "TIME";
            case STRING -> "VARCHAR";
            case UUID -> "UUID";
            case FIXED, BINARY -> "BLOB";
            case TIMESTAMP ->
                ((Types.TimestampType) type).shouldAdjustToUTC() ? "TIMESTAMP WITH TIME ZONE" : "TIMESTAMP";
            case DECIMAL -> {
                Types.DecimalType decimal = (Types.DecimalType) type;
                yield "DECIMAL(" + decimal.precision() + "," + decimal.scale() + ")";
            }
            case STRUCT -> struct(type.asStructType());
            case LIST -> of(type.asListType().elementType()) + "[]";
            case MAP ->
                "MAP(" + of(type.asMapType().keyType()) + ","
                        + of(type.asMapType().valueType()) + ")";
            default -> throw new IllegalArgumentException("no SQL type for " + type);
        };
    }

    private static String struct(Types.StructType struct) {
        return struct.fields().stream()
                .map(field -> quoted(field.name()) + " " + of(field.type()))
                .collect(Collectors.joining(", ", "STRUCT(", ")"));
    }

    static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
