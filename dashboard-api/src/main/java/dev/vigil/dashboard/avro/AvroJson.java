package dev.vigil.dashboard.avro;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.UnreadableValueException;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/**
 * Writes a value in Avro's binary encoding as a JSON object, as a producer of plain JSON would have written it:
 *
 * <ul>
 *   <li>a decimal as a number with exactly its digits; a real number that is none as a text, which no field takes for a number
 *   <li>timestamps as RFC 3339, local ones without an offset; dates and times of day as ISO 8601
 *   <li>uuid, enum and text as texts; of a union the value itself; maps and records as objects
 *   <li>bytes, fixed and durations as null: no field can have them, and nobody could see a card number in them
 * </ul>
 *
 * <p>Bounded in depth and size whatever the bytes claim. One thread, one value.
 */
final class AvroJson {
    private static final int MAX_DEPTH = 64;
    /** Of a decimal; what has more digits is no amount and no measurement. */
    private static final int MAX_DECIMAL_BYTES = 32;

    private static final int MAX_SCALE = 64;
    private static final String OUT_OF_RANGE = "time_out_of_range";
    private static final String BAD_FIELD = "bad_field";

    private final JsonGenerator json;
    private final AvroBytes value;

    private AvroJson(JsonGenerator json, AvroBytes value) {
        this.json = json;
        this.value = value;
    }

    /**
     * @param schema of a record
     * @throws UnreadableValueException if the bytes are not as the schema says, or mean what no JSON can say
     */
    static byte[] write(Schema schema, AvroBytes value, int maxBytes) {
        Bounded out = new Bounded(maxBytes);
        try (JsonGenerator json = Json.mapper().createGenerator((OutputStream) out)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
            new AvroJson(json, value).write(schema, "", 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!value.isAtEnd()) {
            throw AvroBytes.malformed("there are more bytes than it describes");
        }
        return out.toByteArray();
    }

    private static final class Bounded extends ByteArrayOutputStream {
        private final int maxBytes;

        Bounded(int maxBytes) {
            this.maxBytes = maxBytes;
        }

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException("one byte at a time");
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            if (size() + length > maxBytes) {
                throw new UnreadableValueException(
                        EventProblem.TOO_LARGE, "expected at most " + maxBytes + " bytes as JSON");
            }
            super.write(bytes, from, length);
        }
    }

    private void write(Schema schema, String field, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw AvroBytes.malformed("more than " + MAX_DEPTH + " values within each other");
        }
        switch (schema.getType()) {
            case RECORD -> {
                json.writeStartObject();
                for (Schema.Field member : schema.getFields()) {
                    json.writeFieldName(member.name());
                    write(member.schema(), member.name(), depth + 1);
                }
                json.writeEndObject();
            }
            case UNION -> {
                List<Schema> branches = schema.getTypes();
                write(branches.get(value.index(branches.size())), field, depth + 1);
            }
            case ARRAY -> {
                json.writeStartArray();
                for (long left = value.block(); left > 0; left = left == 1 ? value.block() : left - 1) {
                    write(schema.getElementType(), field, depth + 1);
                }
                json.writeEndArray();
            }
            case MAP -> {
                json.writeStartObject();
                for (long left = value.block(); left > 0; left = left == 1 ? value.block() : left - 1) {
                    json.writeFieldName(value.text());
                    write(schema.getValueType(), field, depth + 1);
                }
                json.writeEndObject();
            }
            case ENUM -> {
                List<String> symbols = schema.getEnumSymbols();
                json.writeString(symbols.get(value.index(symbols.size())));
            }
            case STRING -> json.writeString(value.text());
            case BYTES -> writeBytes(schema, value.bytes(), field);
            case FIXED -> writeBytes(schema, value.fixed(schema.getFixedSize()), field);
            case INT, LONG -> writeNumber(schema, value.number(), field);
            case FLOAT -> writeReal(value.real32());
            case DOUBLE -> writeReal(value.real64());
            case BOOLEAN -> json.writeBoolean(value.bool());
            case NULL -> json.writeNull();
        }
    }

    private void writeReal(float real) throws IOException {
        if (Float.isFinite(real)) {
            json.writeNumber(real);
        } else {
            json.writeString(Float.toString(real));
        }
    }

    private void writeReal(double real) throws IOException {
        if (Double.isFinite(real)) {
            json.writeNumber(real);
        } else {
            json.writeString(Double.toString(real));
        }
    }

    private void writeBytes(Schema schema, byte[] bytes, String field) throws IOException {
        LogicalType logical = schema.getLogicalType();
        if (logical instanceof LogicalTypes.Decimal decimal) {
            if (bytes.length > MAX_DECIMAL_BYTES || decimal.getScale() > MAX_SCALE) {
                throw new UnreadableValueException(BAD_FIELD, field + ": a decimal of too many digits");
            }
            BigInteger unscaled = bytes.length == 0 ? BigInteger.ZERO : new BigInteger(bytes);
            json.writeNumber(new BigDecimal(unscaled, decimal.getScale()).toPlainString());
        } else if (logical != null && logical.getName().equals("uuid") && bytes.length == 2 * Long.BYTES) {
            ByteBuffer halves = ByteBuffer.wrap(bytes);
            json.writeString(new UUID(halves.getLong(), halves.getLong()).toString());
        } else {
            json.writeNull();
        }
    }

    private void writeNumber(Schema schema, long number, String field) throws IOException {
        if (schema.getType() == Schema.Type.INT && number != (int) number) {
            throw AvroBytes.malformed(field + " is an int of more than 32 bits");
        }
        LogicalType logical = schema.getLogicalType();
        String text;
        try {
            text = logical == null ? null : time(logical.getName(), number);
        } catch (DateTimeException | ArithmeticException e) {
            throw new UnreadableValueException(OUT_OF_RANGE, field + ": a time that cannot be");
        }
        if (text == null) {
            json.writeNumber(number);
        } else {
            json.writeString(text);
        }
    }

    private static @org.jspecify.annotations.Nullable String time(String logical, long number) {
        return switch (logical) {
            case "timestamp-millis" -> instant(Math.multiplyExact(number, 1_000L));
            case "timestamp-micros" -> instant(number);
            case "timestamp-nanos" -> instant(Math.floorDiv(number, 1_000L));
            case "local-timestamp-millis" -> local(Math.multiplyExact(number, 1_000L));
            case "local-timestamp-micros" -> local(number);
            case "local-timestamp-nanos" -> local(Math.floorDiv(number, 1_000L));
            case "date" -> LocalDate.ofEpochDay(number).toString();
            case "time-millis" ->
                LocalTime.ofNanoOfDay(Math.multiplyExact(number, 1_000_000L)).toString();
            case "time-micros" ->
                LocalTime.ofNanoOfDay(Math.multiplyExact(number, 1_000L)).toString();
            default -> null;
        };
    }

    private static String instant(long timeUs) {
        return EventTimes.format(inRange(timeUs));
    }

    /** Without an offset, so that nobody takes it for an instant. */
    private static String local(long timeUs) {
        return EventTimes.toInstant(inRange(timeUs))
                .atOffset(ZoneOffset.UTC)
                .toLocalDateTime()
                .toString();
    }

    private static long inRange(long timeUs) {
        if (timeUs < EventTimes.MIN_US || timeUs > EventTimes.MAX_US) {
            throw new DateTimeException("outside the years 0001 to 9999");
        }
        return timeUs;
    }
}
