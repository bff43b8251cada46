package dev.vigil.cdc;

import dev.vigil.event.FieldType;
import java.util.EnumSet;
import java.util.Set;

/** What a column holds, as far as an event's field is concerned. */
public enum ColumnKind {
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

    /** Whether it says when something happened. */
    public boolean isTime() {
        return this == DATE || this == TIMESTAMP;
    }

    /**
     * Whether every value can become a field of that type. A decimal without a fraction holds whole numbers too.
     *
     * @param scale digits after the point of a decimal; -1 if it has no limit
     */
    public boolean canBecome(FieldType type, int scale) {
        return fieldTypes.contains(type) || this == DECIMAL && scale == 0 && type == FieldType.LONG;
    }
}
