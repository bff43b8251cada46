package dev.vigil.cdc.debezium;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.vigil.cdc.ColumnValue;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.Json;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.jspecify.annotations.Nullable;

/** Connect values of MySQL columns as column values, where they are not like those of other databases. */
final class MySqlValues {

    private static final String SOURCE_TYPE = "__debezium.source.column.type";
    private static final String SOURCE_LENGTH = "__debezium.source.column.length";
    private static final ObjectMapper EXACT =
            Json.mapper().copy().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);

    private MySqlValues() {}

    static ColumnValue of(Schema schema, @Nullable Object value) {
        if (value == null) {
            return new ColumnValue.Null();
        }
        if (value instanceof BigDecimal decimal) {
            return new ColumnValue.Decimal(decimal.toPlainString());
        }
        if (value instanceof Number number && isBoolean(schema)) {
            return flag(number.longValue());
        }
        String meaning = String.valueOf(schema.name());
        return switch (meaning) {
            case "io.debezium.time.Year" -> year(((Number) value).longValue());
            case "io.debezium.data.Json" -> json((String) value);
            case "null" ->
                value instanceof String text && type(schema).startsWith("DECIMAL")
                        ? new ColumnValue.Decimal(text)
                        : ColumnValues.of(schema, value, Set.of());
            default -> ColumnValues.of(schema, value, Set.of());
        };
    }

    private static String type(Schema schema) {
        Map<String, String> parameters = schema.parameters();
        return parameters == null ? "" : parameters.getOrDefault(SOURCE_TYPE, "");
    }

    /** MySQL's BOOLEAN is a tinyint(1), which holds other numbers as well. */
    private static boolean isBoolean(Schema schema) {
        String type = type(schema);
        return type.equals("BOOLEAN")
                || type.equals("BOOL")
                || type.equals("TINYINT")
                        && schema.parameters() != null
                        && "1".equals(schema.parameters().get(SOURCE_LENGTH));
    }

    private static ColumnValue flag(long number) {
        return number == 0 || number == 1
                ? new ColumnValue.Flag(number == 1)
                : new ColumnValue.Unusable(
                        Reason.BAD_FIELD, "expected 0 or 1 in a tinyint(1), which is MySQL's boolean, found " + number);
    }

    /** A year is 1901 to 2155; the log has 0000 as 1900. */
    private static ColumnValue year(long year) {
        return year > 1_900
                ? new ColumnValue.Whole(year)
                : new ColumnValue.Unusable(Reason.TIME_OUT_OF_RANGE, "expected a year from 1901 on, found 0000");
    }

    /** The server's own text has blanks between the values; the log holds a tree without them. */
    private static ColumnValue json(String text) {
        try {
            return new ColumnValue.Text(EXACT.writeValueAsString(EXACT.readTree(text)));
        } catch (IOException e) {
            return new ColumnValue.Unusable(Reason.BAD_FIELD, "expected JSON, found something else");
        }
    }
}
