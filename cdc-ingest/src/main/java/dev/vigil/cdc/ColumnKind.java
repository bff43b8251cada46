package dev.vigil.cdc.postgres;

import dev.vigil.event.FieldType;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a column holds, as far as an event's field is concerned. */
enum ColumnKind {
    WHOLE(FieldType.LONG, FieldType.DOUBLE, FieldType.MONEY, FieldType.STRING),
    DECIMAL(FieldType.MONEY, FieldType.DOUBLE, FieldType.STRING),
    FLOATING(FieldType.DOUBLE, FieldType.STRING),
    BOOLEAN(FieldType.BOOL, FieldType.STRING),
    DATE(FieldType.TIMESTAMP, FieldType.STRING),
    TIMESTAMP(FieldType.TIMESTAMP, FieldType.STRING),
    TEXT(FieldType.STRING);

    private final Set<FieldType> fieldTypes;

    ColumnKind(FieldType first, FieldType... others) {
        fieldTypes = EnumSet.of(first, others);
    }

    /** By the name of a base type; empty for what no event's field can hold. */
    static Optional<ColumnKind> ofBaseType(String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "int2", "int4", "int8" -> WHOLE;
                    case "numeric", "money" -> DECIMAL;
                    case "float4", "float8" -> FLOATING;
                    case "bool" -> BOOLEAN;
                    case "date" -> DATE;
                    case "timestamp", "timestamptz" -> TIMESTAMP;
                    case "text",
                            "varchar",
                            "bpchar",
                            "citext",
                            "uuid",
                            "inet",
                            "cidr",
                            "macaddr",
                            "macaddr8",
                            "json",
                            "jsonb",
                            "xml",
                            "hstore",
                            "bytea",
                            "time",
                            "interval" -> TEXT;
                    default -> null;
                });
    }

    boolean isTime() {
        return this == DATE || this == TIMESTAMP;
    }

    /** A decimal without a fraction holds whole numbers too. */
    boolean canBecome(FieldType type, int scale) {
        return fieldTypes.contains(type) || this == DECIMAL && scale == 0 && type == FieldType.LONG;
    }

    static String kindsFor(FieldType type) {
        return switch (type) {
            case STRING -> "any scalar type";
            case LONG -> "smallint, integer, bigint or numeric without a fraction";
            case DOUBLE -> "a number";
            case BOOL -> "boolean";
            case TIMESTAMP -> "date, timestamp or timestamptz";
            case MONEY -> "numeric, money or an integer";
        };
    }
}
