package dev.vigil.dashboard.intake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.service.EpochClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * CloudEvents 1.0 from a request's body, in structured, batch and binary mode. Strict: UTF-8 JSON, no key twice, data a
 * JSON object, no card numbers, fields as the active policy declares them. The data go on as the very bytes that came in,
 * so that no number loses a digit.
 *
 * <p>A batch is read to its end, so that one answer tells everything that is wrong with it. Safe for any thread.
 */
public final class CloudEventReader {
    private static final int LONGEST_CARD_NUMBER = 19;
    private static final int MAX_PROBLEMS = 100;
    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final int maxEvents;
    private final int maxDataBytes;
    private final UnknownFields unknownFields;
    private final EpochClock clock;

    /** @param clock for how far ahead an event's time may be */
    public CloudEventReader(IntakeConfig config, EpochClock clock) {
        this.maxEvents = config.maxEvents();
        this.maxDataBytes = config.maxDataBytes();
        this.unknownFields = config.unknownFields();
        this.clock = clock;
    }

    /** {@code application/cloudevents+json}: one event. */
    public Submission readStructured(byte[] body, DeclaredTypes types) {
        Reading reading = new Reading(body, types);
        return read(reading, parser -> {
            parser.nextToken();
            readEvent(parser, reading, null);
        });
    }

    /** {@code application/cloudevents-batch+json}: a list of events. */
    public Submission readBatch(byte[] body, DeclaredTypes types) {
        Reading reading = new Reading(body, types);
        return read(reading, parser -> {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new Refused(new EventProblem(null, null, EventProblem.MALFORMED, "expected a list of events"));
            }
            int index = 0;
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (index == maxEvents) {
                    throw new Refused(new EventProblem(
                            null, null, EventProblem.TOO_LARGE, "expected at most " + maxEvents + " events"));
                }
                readEvent(parser, reading, index++);
            }
            if (index == 0) {
                throw new Refused(
                        new EventProblem(null, null, EventProblem.MISSING, "expected at least one event, found none"));
            }
        });
    }

    /**
     * Any other content type, with attributes as {@code ce-} headers.
     *
     * @param attributes without the prefix, in lower case, decoded
     * @param contentType of the body, which is the data's
     */
    public Submission readBinary(
            Map<String, String> attributes, @Nullable String contentType, byte[] body, DeclaredTypes types) {
        Reading reading = new Reading(body, types);
        EventAttributes event = new EventAttributes(null, reading.problems);
        attributes.forEach(event::put);
        if (contentType != null) {
            event.put("datacontenttype", contentType);
        }
        if (body.length == 0) {
            finish(event, null, reading, null);
            return reading.submission();
        }
        return read(reading, parser -> {
            parser.nextToken();
            finish(event, readData(parser, body, event), reading, null);
        });
    }

    /** Of one body. */
    private static final class Reading {
        private final byte[] body;
        private final DeclaredTypes types;
        private final List<EventEnvelope> events = new ArrayList<>();
        private final List<EventProblem> problems = new ArrayList<>();
        private final List<EventProblem> warnings = new ArrayList<>();

        Reading(byte[] body, DeclaredTypes types) {
            this.body = body;
            this.types = types;
        }

        Submission submission() {
            return new Submission(events, first(problems), first(warnings));
        }

        private static List<EventProblem> first(List<EventProblem> problems) {
            return problems.subList(0, Math.min(problems.size(), MAX_PROBLEMS));
        }
    }

    private interface Body {
        void read(JsonParser parser) throws IOException;
    }

    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient EventProblem problem;

        Refused(EventProblem problem) {
            super(problem.detail(), null, false, false);
            this.problem = problem;
        }
    }

    private static Submission read(Reading reading, Body body) {
        try {
            requireUtf8(reading.body);
            try (JsonParser parser = JSON.createParser(reading.body)) {
                body.read(parser);
                if (parser.nextToken() != null) {
                    throw new Refused(
                            malformed("expected the end of the document" + at(parser.currentTokenLocation())));
                }
            }
        } catch (Refused e) {
            reading.problems.add(e.problem);
        } catch (JsonProcessingException e) {
            reading.problems.add(malformed("not JSON" + at(e.getLocation())));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return reading.submission();
    }

    /** Jackson would guess UTF-16 and UTF-32 from zero bytes, which UTF-8 JSON never holds; and lets some bad UTF-8 by. */
    private static void requireUtf8(byte[] bytes) {
        if (bytes.length == 0) {
            throw new Refused(new EventProblem(null, null, EventProblem.MISSING, "expected a body, found none"));
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
        } catch (CharacterCodingException e) {
            throw new Refused(malformed("expected UTF-8"));
        }
        for (byte b : bytes) {
            if (b == 0) {
                throw new Refused(malformed("expected UTF-8 JSON, found a zero byte"));
            }
        }
    }

    private static EventProblem malformed(String detail) {
        return new EventProblem(null, null, EventProblem.MALFORMED, detail);
    }

    /** Jackson's own messages quote the document, which may hold a card number: only the place is told. */
    private static String at(@Nullable JsonLocation location) {
        return location == null
                ? ""
                : " at line " + location.getLineNr() + ", column " + Math.max(1, location.getColumnNr());
    }

    private void readEvent(JsonParser parser, Reading reading, @Nullable Integer index) throws IOException {
        EventAttributes event = new EventAttributes(index, reading.problems);
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            event.refuse(null, EventProblem.MALFORMED, "expected an event, which is a JSON object");
            parser.skipChildren();
            return;
        }
        byte[] data = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("data")) {
                data = value == JsonToken.VALUE_NULL ? null : readData(parser, reading.body, event);
            } else if (name.equals("data_base64")) {
                event.refuse("data", EventProblem.MALFORMED, "expected a JSON object in data, found data_base64");
                parser.skipChildren();
            } else if (value.isScalarValue()) {
                // JSON null means unset.
                if (value != JsonToken.VALUE_NULL) {
                    event.put(name, parser.getText());
                }
            } else {
                event.put(name, "");
                event.refuse(
                        CardNumbers.isIn(name) ? "attribute" : EventAttributes.shown(name),
                        EventProblem.MALFORMED,
                        "expected a text, a number or a boolean, found a JSON " + kind(value));
                parser.skipChildren();
            }
        }
        finish(event, data, reading, index);
    }

    private void finish(EventAttributes attributes, byte @Nullable [] data, Reading reading, @Nullable Integer index) {
        Optional<EventEnvelope> envelope = attributes.toEnvelope(data);
        if (envelope.isEmpty()) {
            return;
        }
        EventEnvelope event = envelope.get();
        if (event.type().equals(EventTypes.LABEL)) {
            LabelData.check(event.data(), attributes);
        }
        DeclaredTypes.Verdict verdict = reading.types.check(event, clock.epochMs());
        for (DeclaredTypes.Complaint complaint : verdict.complaints()) {
            attributes.refuse(complaint.field(), complaint.code(), detail(complaint));
        }
        if (unknownFields != UnknownFields.IGNORE) {
            List<EventProblem> told = unknownFields == UnknownFields.WARN ? reading.warnings : reading.problems;
            for (String key : verdict.undeclared()) {
                told.add(unknownField(index, key, reading.types));
            }
        }
        reading.events.add(event);
    }

    private static String detail(DeclaredTypes.Complaint complaint) {
        String found = CardNumbers.isIn(complaint.found()) ? "something else" : complaint.found();
        return "expected " + complaint.expected() + ", found " + found;
    }

    private static EventProblem unknownField(@Nullable Integer index, String key, DeclaredTypes types) {
        return new EventProblem(
                index,
                CardNumbers.isIn(key)
                        ? "data"
                        : "/data/"
                                + EventAttributes.shown(key.replace("~", "~0").replace("/", "~1")),
                EventProblem.UNKNOWN_FIELD,
                "policy " + types.policy() + " declares no such field, so that it is not read");
    }

    /** The bytes of the value that the parser stands on; null if it is refused. */
    private byte @Nullable [] readData(JsonParser parser, byte[] body, EventAttributes event) throws IOException {
        JsonToken token = parser.currentToken();
        if (token != JsonToken.START_OBJECT) {
            event.refuse("data", EventProblem.MALFORMED, "expected a JSON object, found " + found(token));
            parser.skipChildren();
            return null;
        }
        int start = (int) parser.currentTokenLocation().getByteOffset();
        int depth = 1;
        while (depth > 0) {
            token = parser.nextToken();
            if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                depth++;
            } else if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
                depth--;
            } else if (hasCardNumber(token, parser.getText())) {
                event.refuse(
                        pointer(parser, token),
                        EventProblem.CARD_NUMBER,
                        "looks like a payment card number; send a token in its place");
            }
        }
        int end = (int) parser.currentTokenLocation().getByteOffset() + 1;
        if (end - start > maxDataBytes) {
            event.refuse(
                    "data",
                    EventProblem.TOO_LARGE,
                    "expected at most " + maxDataBytes + " bytes, found " + (end - start));
        }
        return Arrays.copyOfRange(body, start, end);
    }

    private static boolean hasCardNumber(JsonToken token, String text) {
        return switch (token) {
            case VALUE_STRING, FIELD_NAME, VALUE_NUMBER_INT -> CardNumbers.isIn(text);
            case VALUE_NUMBER_FLOAT -> isWholeCardNumber(text);
            default -> false;
        };
    }

    /** As in 4111111111111111.0, which spreadsheets make of one. */
    private static boolean isWholeCardNumber(String text) {
        try {
            BigDecimal number = new BigDecimal(text).stripTrailingZeros();
            int digits = number.precision() - number.scale();
            return number.scale() <= 0
                    && digits <= LONGEST_CARD_NUMBER
                    && CardNumbers.isIn(number.toBigInteger().toString());
        } catch (NumberFormatException e) {
            return false; // NaN, or an exponent beyond all numbers
        }
    }

    /** Where it is, as a pointer; a name that is itself a card number is not repeated. */
    private static String pointer(JsonParser parser, JsonToken token) {
        String pointer = parser.getParsingContext().pathAsPointer().toString();
        String field = pointer.substring(Math.max(0, pointer.indexOf("/data")));
        return token == JsonToken.FIELD_NAME || CardNumbers.isIn(field) ? "data" : field;
    }

    private static String found(@Nullable JsonToken token) {
        return token == null ? "nothing" : "a JSON " + kind(token);
    }

    private static String kind(JsonToken token) {
        return switch (token) {
            case START_ARRAY -> "list";
            case START_OBJECT -> "object";
            case VALUE_STRING -> "text";
            case VALUE_NULL -> "null";
            case VALUE_TRUE, VALUE_FALSE -> "boolean";
            default -> "number";
        };
    }
}
