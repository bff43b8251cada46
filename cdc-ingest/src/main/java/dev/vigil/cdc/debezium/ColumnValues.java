package dev.vigil.cdc.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.cdc.ColumnValue;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventTimes;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Connect values as column values. The unit of a time comes from the schema's name, never from its magnitude, and no JVM
 * time zone takes part: a {@code timestamp without time zone} counts as UTC.
 */
final class ColumnValues {

    /** What Debezium puts where the log does not hold a large value because an update left it as it was. */
    static final String UNCHANGED_PLACEHOLDER = "__vigil_unchanged_5f0c6f0e-7a6d-4a5c-9b6e-4d1b6f2c8a11";

    private static final ByteBuffer UNCHANGED_BYTES = UTF_8.encode(UNCHANGED_PLACEHOLDER);
    private static final String SOURCE_TYPE = "__debezium.source.column.type";
    private static final long US_PER_DAY = 86_400_000_000L;

    private ColumnValues() {}

    /** @param numericDomains names in upper case of types whose text is a decimal */
    static ColumnValue of(Schema schema, @Nullable Object value, Set<String> numericDomains) {
        if (value == null) {
            return new ColumnValue.Null();
        }
        if (UNCHANGED_PLACEHOLDER.equals(value)) {
            return new ColumnValue.Unchanged();
        }
        String meaning = schema.name();
        return meaning == null ? plain(schema, value, numericDomains) : named(meaning, value);
    }

    private static ColumnValue plain(Schema schema, Object value, Set<String> numericDomains) {
        return switch (schema.type()) {
            case INT8, INT16, INT32, INT64 -> new ColumnValue.Whole(((Number) value).longValue());
            // The shortest decimal of a float is what the database shows; widening the bits would add digits.
            case FLOAT32 -> new ColumnValue.Floating(Double.parseDouble(value.toString()));
            case FLOAT64 -> new ColumnValue.Floating((Double) value);
            case BOOLEAN -> new ColumnValue.Flag((Boolean) value);
            case STRING ->
                isDecimal(schema, numericDomains)
                        ? new ColumnValue.Decimal((String) value)
                        : new ColumnValue.Text((String) value);
            case BYTES -> bytes(value instanceof byte[] array ? ByteBuffer.wrap(array) : (ByteBuffer) value);
            case ARRAY, MAP, STRUCT ->
                new ColumnValue.Unusable(
                        Reason.BAD_FIELD,
                        "expected a scalar value, found " + schema.type().getName());
        };
    }

    private static ColumnValue bytes(ByteBuffer bytes) {
        return bytes.equals(UNCHANGED_BYTES)
                ? new ColumnValue.Unchanged()
                : new ColumnValue.Text(UTF_8.decode(Base64.getEncoder().encode(bytes.duplicate()))
                        .toString());
    }

    private static boolean isDecimal(Schema schema, Set<String> numericDomains) {
        Map<String, String> parameters = schema.parameters();
        String type = parameters == null ? null : parameters.get(SOURCE_TYPE);
        if (type == null) {
            return false;
        }
        switch (type) {
            case "NUMERIC" -> {
                return true;
            }
            case "TEXT", "VARCHAR", "BPCHAR" -> {
                return false;
            }
            default -> {}
        }
        // A domain comes with its schema before it, and maybe in quotes.
        String name =
                type.substring(type.lastIndexOf('.') + 1).replace("\"", "").toUpperCase(Locale.ROOT);
        return switch (name) {
            case "NUMERIC", "DECIMAL", "MONEY" -> true;
            default -> numericDomains.contains(name);
        };
    }

    private static ColumnValue named(String meaning, Object value) {
        return switch (meaning) {
            case "io.debezium.time.Timestamp" -> scaledTime((Long) value, 1_000, 1);
            case "io.debezium.time.MicroTimestamp" -> scaledTime((Long) value, 1, 1);
            case "io.debezium.time.NanoTimestamp" -> scaledTime((Long) value, 1, 1_000);
            case "io.debezium.time.Date" -> scaledTime((Integer) value, US_PER_DAY, 1);
            case "io.debezium.time.ZonedTimestamp" -> zonedTime((String) value);
            case "io.debezium.time.Time" -> timeOfDay((Integer) value * 1_000L);
            case "io.debezium.time.MicroTime" -> timeOfDay((Long) value);
            case "io.debezium.time.NanoTime" -> timeOfDay((Long) value / 1_000);
            default ->
                value instanceof String text
                        ? new ColumnValue.Text(text)
                        : new ColumnValue.Unusable(Reason.BAD_FIELD, "expected a scalar value, found " + meaning);
        };
    }

    private static ColumnValue scaledTime(long amount, long factor, long divisor) {
        long timeUs;
        try {
            timeUs = Math.floorDiv(Math.multiplyExact(amount, factor), divisor);
        } catch (ArithmeticException e) {
            return outOfRange();
        }
        return timeUs < EventTimes.MIN_US || timeUs > EventTimes.MAX_US ? outOfRange() : new ColumnValue.Time(timeUs);
    }

    private static ColumnValue zonedTime(String text) {
        try {
            return new ColumnValue.Time(EventTimes.parse(text));
        } catch (DateTimeException e) {
            return outOfRange(); // infinity, -infinity, a year of five digits
        }
    }

    private static ColumnValue outOfRange() {
        return new ColumnValue.Unusable(
                Reason.TIME_OUT_OF_RANGE, "expected a time of the years 1 to 9999, found another or infinity");
    }

    /** {@code 24:00:00} is a time of day in PostgreSQL and one of up to 838 hours, before or after zero, in MySQL. */
    private static ColumnValue timeOfDay(long us) {
        long seconds = Math.abs(us) / 1_000_000;
        long fraction = Math.abs(us) % 1_000_000;
        String text = String.format(Locale.ROOT, "%02d:%02d:%02d", seconds / 3_600, seconds / 60 % 60, seconds % 60);
        String sign = us < 0 ? "-" : "";
        return new ColumnValue.Text(
                sign + (fraction == 0 ? text : text + String.format(Locale.ROOT, ".%06d", fraction)));
    }
}
