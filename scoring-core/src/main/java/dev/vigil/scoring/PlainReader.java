package dev.vigil.scoring;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.scoring.policy.PlainRecords;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds id, time, account, type and data of a record that is plain JSON, where the policy says they are. One thread. */
final class PlainReader {
    private static final JsonFactory JSON = new JsonFactory();

    /** Of an envelope. */
    enum Part {
        ID,
        TIME,
        ACCOUNT,
        TYPE,
        DATA
    }

    /** Where paths part; a leaf is a part of the event. */
    private static final class Step {
        final Map<String, Step> next = new HashMap<>();

        @Nullable
        Part part;
    }

    private final PlainRecords plain;
    private final Step root = new Step();
    private final EnumMap<Part, String> found = new EnumMap<>(Part.class);
    private final int wantedCount;
    private final boolean isFlat;
    private byte @Nullable [] data;

    PlainReader(PlainRecords plain) {
        this.plain = plain;
        int wanted = add(plain.id(), Part.ID) + add(plain.time(), Part.TIME);
        wanted += add(plain.account(), Part.ACCOUNT) + add(plain.typePath(), Part.TYPE);
        if (!plain.data().isEmpty()) {
            wanted += add(plain.data(), Part.DATA);
        }
        this.wantedCount = wanted;
        this.isFlat = isFlat(plain);
    }

    /** Whether every part is a member of the record itself, so that who decodes the fields passes by them all. */
    boolean isFlat() {
        return isFlat;
    }

    private static boolean isFlat(PlainRecords plain) {
        return plain.type() != null
                && plain.data().isEmpty()
                && plain.id().size() == 1
                && plain.time().size() == 1
                && (plain.account() == null || plain.account().size() == 1);
    }

    /** Part by member name, of flat records. */
    Map<String, Part> flatParts() {
        Map<String, Part> parts = new HashMap<>();
        root.next.forEach((name, step) -> parts.put(name, java.util.Objects.requireNonNull(step.part)));
        return parts;
    }

    /** Where to put the parts of the next record, for {@link #end}. */
    Map<Part, String> envelope() {
        found.clear();
        return found;
    }

    private int add(@Nullable List<String> path, Part part) {
        if (path == null) {
            return 0;
        }
        Step step = root;
        for (String name : path) {
            step = step.next.computeIfAbsent(name, n -> new Step());
        }
        step.part = part;
        return 1;
    }

    /**
     * Fills the record's envelope; what is missing stays missing, and is refused as in any other record. Of a flat record
     * only type and source: the pass over its fields finds the rest, see {@link #envelope}.
     *
     * @throws Rejection if the record is no JSON object, or its time is none
     */
    void read(LogRecord record) throws Rejection {
        if (isFlat) {
            record.flat(plain.source(), java.util.Objects.requireNonNull(plain.type()));
            return;
        }
        byte[] value = record.value();
        if (value == null) {
            throw new Rejection(Reason.MALFORMED_JSON, "expected a JSON object, found nothing");
        }
        find(value);
        String type = type();
        if (!plain.data().isEmpty()) {
            record.data(data);
        }
        end(record, type);
    }

    /**
     * Looks for the parts of a record, flat or not, for {@link #found}, {@link #type}, {@link #data} and {@link #anyTimeUs}.
     *
     * @throws Rejection if it is no JSON object
     */
    void find(byte[] value) throws Rejection {
        found.clear();
        data = null;
        try (JsonParser parser = JSON.createParser(value)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new Rejection(Reason.MALFORMED_JSON, "expected a JSON object");
            }
            walk(parser, root, value);
        } catch (IOException e) {
            // Jackson's own message may quote the data, and with it a card number.
            throw new Rejection(Reason.MALFORMED_JSON, "record is not valid JSON");
        }
    }

    @Nullable
    String found(Part part) {
        return found.get(part);
    }

    /** Null where it is missing. @throws Rejection if no plain record has it */
    @Nullable
    String type() throws Rejection {
        String type = plain.type() == null ? found.get(Part.TYPE) : plain.type();
        if (type != null && EventTypes.isReserved(type)) {
            throw new Rejection(Reason.UNKNOWN_CONTROL, "type: control records come with CloudEvents headers");
        }
        return type;
    }

    /** The object that has the fields; null where the policy says that the record itself has them, or it is missing. */
    byte @Nullable [] data() {
        return data;
    }

    /** Fills the record's envelope from what was found. @throws Rejection if the time is none */
    void end(LogRecord record, @Nullable String type) throws Rejection {
        record.plain(found.get(Part.ID), plain.source(), type, found.get(Part.ACCOUNT), timeUs(plain.timeUnit()));
    }

    /** @return false when everything that is looked for was found */
    private boolean walk(JsonParser parser, Step step, byte[] value) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            Step next = step.next.get(parser.currentName());
            JsonToken token = parser.nextToken();
            if (next == null) {
                parser.skipChildren();
                continue;
            }
            long startByte = parser.currentTokenLocation().getByteOffset();
            if (token == JsonToken.START_OBJECT) {
                if (!next.next.isEmpty() && !walk(parser, next, value)) {
                    return false;
                }
                if (parser.currentToken() != JsonToken.END_OBJECT) {
                    parser.skipChildren();
                }
            } else if (next.part != null && token.isScalarValue() && token != JsonToken.VALUE_NULL) {
                found.putIfAbsent(next.part, parser.getText());
            } else {
                parser.skipChildren();
            }
            if (next.part == Part.DATA && token == JsonToken.START_OBJECT) {
                int end = (int) parser.currentLocation().getByteOffset();
                data = Arrays.copyOfRange(value, (int) startByte, end);
            }
            if (found.size() + (data == null ? 0 : 1) == wantedCount) {
                return false;
            }
        }
        return true;
    }

    /** In the policy's unit, or RFC 3339, which tells by its colons that it is no number. */
    @Nullable
    Long anyTimeUs() throws Rejection {
        String text = found.get(Part.TIME);
        return timeUs(text != null && text.indexOf(':') >= 0 ? PlainRecords.TimeUnit.RFC3339 : plain.timeUnit());
    }

    private @Nullable Long timeUs(PlainRecords.TimeUnit unit) throws Rejection {
        String text = found.get(Part.TIME);
        if (text == null) {
            return null;
        }
        try {
            if (unit == PlainRecords.TimeUnit.RFC3339) {
                return EventTimes.parse(text);
            }
            long timeUs = scaled(text, unit.unitUs());
            if (timeUs < EventTimes.MIN_US || timeUs > EventTimes.MAX_US) {
                throw new Rejection(
                        Reason.MISSING_TIME,
                        "time: outside the years 0001 to 9999 as " + unitName() + "; is it in a smaller unit?");
            }
            return timeUs;
        } catch (DateTimeParseException | NumberFormatException | ArithmeticException e) {
            throw new Rejection(
                    Reason.MISSING_TIME,
                    "time: expected "
                            + (unit.unitUs() == 0 ? "an RFC 3339 time" : "a number of " + unitName())
                            + ", found something else");
        }
    }

    private static long scaled(String text, long unitUs) {
        if (isInteger(text)) { // nearly always, and much faster
            return Math.multiplyExact(Long.parseLong(text), unitUs);
        }
        if (text.length() > 40) {
            throw new NumberFormatException();
        }
        return new BigDecimal(text)
                .multiply(BigDecimal.valueOf(unitUs))
                .setScale(0, java.math.RoundingMode.FLOOR)
                .longValueExact();
    }

    /** Whether it is made of digits alone, few enough for 64 bits. */
    private static boolean isInteger(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= 18;
    }

    private String unitName() {
        return plain.timeUnit().name().toLowerCase(java.util.Locale.ROOT) + " since 1970";
    }
}
