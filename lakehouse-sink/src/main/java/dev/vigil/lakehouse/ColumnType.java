package dev.vigil.lakehouse;

import dev.vigil.event.EventTimes;
import dev.vigil.event.FieldType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;

/**
 * Type of a column in {@code fields} or {@code features}.
 *
 * @param digits after the decimal point, for MONEY; 0 for every other type
 */
public record ColumnType(FieldType type, int digits) {
    /** Digits in all of a MONEY column. */
    public static final int MONEY_PRECISION = 38;

    /** Beyond this a hostile exponent would cost memory in rescaling; no amount has it. */
    private static final int MAX_SCALE = 1_000;

    public ColumnType {
        if (digits < 0 || digits > MONEY_PRECISION || (digits > 0 && type != FieldType.MONEY)) {
            throw new IllegalArgumentException(digits + " decimal digits for a " + type.label());
        }
    }

    public static ColumnType of(FieldType type, int currencyDigits) {
        return new ColumnType(type, type == FieldType.MONEY ? currencyDigits : 0);
    }

    /** {@code double}, {@code money2}: suffix of a column whose plain name is taken by another type. */
    String label() {
        return type == FieldType.MONEY ? type.label() + digits : type.label();
    }

    /**
     * The type that a value alone suggests: an integer LONG, any other number DOUBLE, since only a schema tells MONEY and
     * TIMESTAMP apart from them; absent for an object or a list.
     */
    public static @Nullable ColumnType infer(Object json) {
        if (json instanceof String) {
            return new ColumnType(FieldType.STRING, 0);
        }
        if (json instanceof Boolean) {
            return new ColumnType(FieldType.BOOL, 0);
        }
        if (json instanceof Integer || json instanceof Long) {
            return new ColumnType(FieldType.LONG, 0);
        }
        return json instanceof Number ? new ColumnType(FieldType.DOUBLE, 0) : null;
    }

    /**
     * A JSON value as this column holds it: String, Long, Double, Boolean, Long (µs) or BigDecimal of exactly
     * {@link #digits}. Only what loses nothing fits: 5 into a DOUBLE, 5.0 into a LONG, 57.1 into a MONEY of two digits;
     * a timestamp may also be RFC 3339 text with an offset.
     *
     * @return absent if the value does not fit
     */
    public @Nullable Object fit(Object json) {
        return switch (type) {
            case STRING -> json instanceof String ? json : null;
            case BOOL -> json instanceof Boolean ? json : null;
            case LONG -> exactLong(json);
            case TIMESTAMP -> timestamp(json);
            case DOUBLE -> floating(json);
            case MONEY -> money(json);
        };
    }

    private static @Nullable Long exactLong(Object json) {
        if (json instanceof Integer || json instanceof Long) {
            return ((Number) json).longValue();
        }
        BigDecimal number = decimal(json);
        if (number == null || number.precision() - number.scale() > 19) {
            return null;
        }
        try {
            return number.longValueExact();
        } catch (ArithmeticException e) {
            return null;
        }
    }

    private static @Nullable Long timestamp(Object json) {
        if (json instanceof String text) {
            try {
                return EventTimes.parse(text);
            } catch (DateTimeException e) {
                return null;
            }
        }
        Long timeUs = exactLong(json);
        return timeUs == null || timeUs < EventTimes.MIN_US || timeUs > EventTimes.MAX_US ? null : timeUs;
    }

    private static @Nullable Double floating(Object json) {
        if (json instanceof String text) {
            return switch (text) {
                case "NaN" -> Double.NaN;
                case "Infinity" -> Double.POSITIVE_INFINITY;
                case "-Infinity" -> Double.NEGATIVE_INFINITY;
                default -> null;
            };
        }
        if (!(json instanceof Number number)) {
            return null;
        }
        double value = number.doubleValue();
        return Double.isFinite(value) ? value : null;
    }

    private @Nullable BigDecimal money(Object json) {
        BigDecimal number = decimal(json);
        if (number == null
                || number.scale() > MAX_SCALE
                || (long) number.precision() - number.scale() + digits > MONEY_PRECISION) {
            return null;
        }
        try {
            return number.setScale(digits, RoundingMode.UNNECESSARY);
        } catch (ArithmeticException e) {
            return null;
        }
    }

    private static @Nullable BigDecimal decimal(Object json) {
        if (json instanceof BigDecimal number) {
            return number;
        }
        if (json instanceof Integer || json instanceof Long) {
            return BigDecimal.valueOf(((Number) json).longValue());
        }
        if (json instanceof Double number) {
            return Double.isFinite(number) ? BigDecimal.valueOf(number) : null;
        }
        return json instanceof BigInteger number ? new BigDecimal(number) : null;
    }
}
