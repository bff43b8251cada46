package dev.vigil.cdc;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Reads the columns of a row as what a mapping says they are; a column that is not that refuses the row. */
final class RowReader {

    private RowReader() {}

    /**
     * The row's identity: the columns' texts, joined with colons; a colon or percent sign within one is written
     * {@code %3A}, {@code %25}, so that no two keys meet.
     */
    static String identity(Row row, List<String> columns) {
        return columns.stream()
                .map(column -> identityPart(column, usable(row, column)))
                .collect(Collectors.joining(":"));
    }

    /**
     * The names by which a row is remembered, or by which this row names another: its {@link #identity}, which a card number
     * is part of as a token under each key, the one in use first. At least one.
     */
    static List<String> names(Row row, List<String> columns) {
        List<String> names = List.of();
        for (String column : columns) {
            List<String> parts = nameParts(row, column);
            names = names.isEmpty() ? parts : joined(names, parts);
        }
        return names;
    }

    private static List<String> nameParts(Row row, String column) {
        if (!(row.column(column) instanceof ColumnValue.Card card)) {
            return List.of(identityPart(column, usable(row, column)));
        }
        if (card.names().isEmpty()) {
            throw new RefusedRowException(
                    Reason.CARD_NUMBER,
                    column + ": "
                            + card.problem().map(ColumnValue.Problem::found).orElse("")
                            + "; to find rows by it, card-numbers needs keys");
        }
        return card.names().stream().map(RowReader::escaped).toList();
    }

    /** Under one key all card numbers of a row; what holds none is the same under each. */
    private static List<String> joined(List<String> names, List<String> parts) {
        int count = Math.max(names.size(), parts.size());
        return IntStream.range(0, count)
                .mapToObj(
                        i -> names.get(Math.min(i, names.size() - 1)) + ":" + parts.get(Math.min(i, parts.size() - 1)))
                .toList();
    }

    private static String identityPart(String column, ColumnValue value) {
        if (value instanceof ColumnValue.Null) {
            throw new RefusedRowException(Reason.MISSING_ID, column + ": expected an identity, found null");
        }
        return escaped(value.text());
    }

    private static String escaped(String part) {
        return part.replace("%", "%25").replace(":", "%3A");
    }

    static String account(Row row, String column) {
        String account = usable(row, column).text();
        if (account.isEmpty()) {
            throw new RefusedRowException(Reason.MISSING_ACCOUNT, column + ": expected an account id, found none");
        }
        return account;
    }

    /** µs since the epoch. */
    static long time(Row row, String column) {
        ColumnValue value = usable(row, column);
        if (value instanceof ColumnValue.Null) {
            throw new RefusedRowException(Reason.MISSING_TIME, column + ": expected a time, found null");
        }
        if (!(value instanceof ColumnValue.Time time)) {
            throw new RefusedRowException(
                    Reason.MISSING_TIME, column + ": expected a column of a date or timestamp type, found another");
        }
        if (time.timeUs() < EventTimes.MIN_US || time.timeUs() > EventTimes.MAX_US) {
            throw new RefusedRowException(
                    Reason.TIME_OUT_OF_RANGE, column + ": expected a time of the years 1 to 9999, found another");
        }
        return time.timeUs();
    }

    static ColumnValue usable(Row row, String column) {
        ColumnValue value = row.column(column);
        value.problem().ifPresent(problem -> {
            throw new RefusedRowException(problem.reason(), column + ": " + problem.found());
        });
        return value;
    }

    /** A JSON object with these fields in this order; nulls are left out. */
    static byte[] object(Row row, Map<String, String> columnByField) {
        return object(row, columnByField, null);
    }

    /** @param earlier the object made of the same row before, for what the database does not log again; null if unknown */
    static byte[] object(Row row, Map<String, String> columnByField, byte @Nullable [] earlier) {
        return json(generator -> {
            for (Map.Entry<String, String> field : columnByField.entrySet()) {
                if (earlier != null && row.column(field.getValue()) instanceof ColumnValue.Unchanged) {
                    Object value = Json.decodeObject(earlier).get(field.getKey());
                    if (value != null) {
                        generator.writeObjectField(field.getKey(), value);
                    }
                    continue;
                }
                ColumnValue value = usable(row, field.getValue());
                if (!(value instanceof ColumnValue.Null)) {
                    generator.writeFieldName(field.getKey());
                    value.write(generator);
                }
            }
        });
    }

    static byte[] json(ObjectWriter fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator generator = Json.mapper().getFactory().createGenerator(bytes)) {
            generator.writeStartObject();
            fields.write(generator);
            generator.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // nothing is written outside memory
        }
        return bytes.toByteArray();
    }

    /** Writes the fields of a JSON object. */
    @FunctionalInterface
    interface ObjectWriter {
        void write(JsonGenerator json) throws IOException;
    }
}
