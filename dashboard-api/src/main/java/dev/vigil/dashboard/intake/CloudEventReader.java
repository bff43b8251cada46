package dev.vigil.dashboard.intake;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import dev.vigil.config.NearestName;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.event.card.CardNumberGuard;
import dev.vigil.event.card.CardNumbers;
import dev.vigil.service.EpochClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * CloudEvents 1.0 from a request's body, in structured, batch and binary mode. Strict: UTF-8 JSON, no key twice, data a
 * JSON object, no card numbers, fields as the active policy declares them. The data go on as the very bytes that came in,
 * so that no number loses a digit.
 *
 * <p>A batch is read to its end, so that one answer tells everything that is wrong with it. Safe for any thread.
 */
public final class CloudEventReader {
    /** With so many, reading on tells nobody anything. */
    private static final int MAX_PROBLEMS = 1_000;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final int maxEvents;
    private final DataReader data;
    private final CardNumberGuard cards;
    private final UnknownFields unknownFields;
    private final EpochClock clock;

    /** @param clock for how far ahead an event's time may be */
    public CloudEventReader(IntakeConfig config, EpochClock clock) {
        this.maxEvents = config.maxEvents();
        this.cards = new CardNumberGuard(config.cardNumbers());
        this.data = new DataReader(config.maxDataBytes(), cards);
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
                if (reading.problems.size() >= MAX_PROBLEMS) {
                    throw new Refused(malformed("too many errors; nothing was read from event " + index + " on"));
                }
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
        EventAttributes event = reading.event(null, cards);
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
            finish(event, data.read(parser, body, event), reading, null);
        });
    }

    /** Of one body. */
    static final class Reading {
        private final byte[] body;
        private final DeclaredTypes types;
        /** Keys of the data that are read though they are no fields. */
        private Set<String> envelopeKeys = Set.of();

        private final List<EventEnvelope> events = new ArrayList<>();
        private final List<EventProblem> problems = new ArrayList<>();
        private final List<EventProblem> warnings = new ArrayList<>();
        private int eventCount;
        private int tokenisedCount;

        Reading(byte[] body, DeclaredTypes types) {
            this.body = body;
            this.types = types;
        }

        /** Starts the body's next event. */
        EventAttributes event(@Nullable Integer index, CardNumberGuard cards) {
            eventCount++;
            return new EventAttributes(index, problems, cards);
        }

        void envelopeKeys(Set<String> keys) {
            envelopeKeys = keys;
        }

        Submission submission() {
            return new Submission(events, problems, warnings, eventCount, tokenisedCount);
        }
    }

    interface Body {
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

    /** Whatever keeps the body from being read as JSON is a problem of the submission. */
    static Submission read(Reading reading, Body body) {
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
            reading.problems.add(malformed(NotReadable.because(e) + at(e.getLocation())));
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
        EventAttributes event = reading.event(index, cards);
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            event.refuse(null, EventProblem.MALFORMED, "expected an event, which is a JSON object");
            parser.skipChildren();
            return;
        }
        byte[] bytes = null;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (name.equals("data")) {
                bytes = value == JsonToken.VALUE_NULL ? null : data.read(parser, reading.body, event);
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
                        "expected a text, a number or a boolean, found a JSON " + DataReader.kind(value));
                parser.skipChildren();
            }
        }
        finish(event, bytes, reading, index);
    }

    /** The last of an event: holds it against the policy, and adds it to those to publish if nothing is wrong with it. */
    void finish(EventAttributes attributes, byte @Nullable [] bytes, Reading reading, @Nullable Integer index) {
        reading.tokenisedCount += attributes.tokenisedCount();
        long nowMs = clock.epochMs();
        Optional<EventEnvelope> envelope = attributes.toEnvelope(bytes, EventTimes.fromEpochMs(nowMs));
        if (envelope.isEmpty()) {
            return;
        }
        EventEnvelope event = envelope.get();
        attributes.requireUnitOfTime(event.timeUs(), EventTimes.fromEpochMs(nowMs));
        if (event.type().equals(EventTypes.LABEL)) {
            LabelData.check(event.data(), attributes);
        }
        DeclaredTypes.Verdict verdict = reading.types.check(event, nowMs);
        for (DeclaredTypes.Complaint complaint : verdict.complaints()) {
            attributes.refuse(complaint.field(), complaint.code(), detail(complaint));
        }
        if (unknownFields != UnknownFields.IGNORE) {
            List<EventProblem> told = unknownFields == UnknownFields.WARN ? reading.warnings : reading.problems;
            verdict.undeclared().stream()
                    .filter(key -> !reading.envelopeKeys.contains(key))
                    .forEach(key -> told.add(unknownField(index, key, event.type(), reading.types)));
        }
        if (!attributes.isRefused()) {
            reading.events.add(event);
        }
    }

    static String detail(DeclaredTypes.Complaint complaint) {
        return complaint.found().isEmpty()
                ? complaint.expected()
                : "expected " + complaint.expected() + ", found " + CardNumbers.masked(complaint.found());
    }

    private static EventProblem unknownField(@Nullable Integer index, String key, String type, DeclaredTypes types) {
        String hint = NearestName.of(key, types.fields(type))
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("");
        return new EventProblem(
                index,
                CardNumbers.isIn(key)
                        ? "data"
                        : "/data/"
                                + EventAttributes.shown(key.replace("~", "~0").replace("/", "~1")),
                EventProblem.UNKNOWN_FIELD,
                "policy " + types.policy() + " declares no such field of " + type + ", so that it is not read" + hint);
    }
}
