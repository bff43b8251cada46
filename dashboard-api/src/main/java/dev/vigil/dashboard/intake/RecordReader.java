package dev.vigil.dashboard.intake;

import dev.vigil.dashboard.intake.CloudEventReader.Reading;
import dev.vigil.event.EventTimes;
import dev.vigil.event.card.CardNumberGuard;
import dev.vigil.service.EpochClock;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Events out of the records of foreign producers, held against the active policy exactly as events by HTTP are: CloudEvents in
 * structured, batch and binary mode, and records without attributes, plain JSON or with a registered schema, as the policy's
 * {@code plain} section reads them. One thread.
 */
public final class RecordReader {
    private static final String ATTRIBUTE_PREFIX = "ce_";
    private static final String CONTENT_TYPE = "content-type";
    private static final String CLOUD_EVENTS = "application/cloudevents";
    private static final byte[] NOTHING = {};

    private final CloudEventReader events;
    private final DataReader data;
    private final CardNumberGuard cards;
    private final RegistryValues registry;

    /** @param clock for how far ahead an event's time may be */
    public RecordReader(IntakeConfig config, RegistryValues registry, EpochClock clock) {
        this.events = new CloudEventReader(config, clock);
        this.cards = new CardNumberGuard(config.cardNumbers());
        this.data = new DataReader(config.maxDataBytes(), cards);
        this.registry = registry;
    }

    /**
     * Empty for what is no event and no mistake either: a record without value and attributes, by which a compacted topic says
     * that a key is gone.
     *
     * @throws RegistryUnavailableException if it cannot be read before the registry answers
     */
    public Optional<Submission> read(SentRecord record, DeclaredTypes types) {
        byte[] value = record.value() == null ? NOTHING : record.value();
        String contentType = record.header(CONTENT_TYPE);
        switch (ContentMode.of(contentType)) {
            case STRUCTURED -> {
                return Optional.of(events.readStructured(value, types));
            }
            case BATCH -> {
                return Optional.of(events.readBatch(value, types));
            }
            case BINARY -> {}
        }
        if (ContentMode.mediaType(contentType).startsWith(CLOUD_EVENTS)) {
            return Optional.of(refused(
                    CONTENT_TYPE,
                    EventProblem.MALFORMED,
                    "expected " + ContentMode.STRUCTURED_TYPE + " or " + ContentMode.BATCH_TYPE));
        }
        boolean isCloudEvent =
                record.headers().stream().anyMatch(header -> header.name().startsWith(ATTRIBUTE_PREFIX));
        if (record.value() == null && !isCloudEvent) {
            return Optional.empty();
        }
        try {
            boolean isRegistered = RegistryValues.isOne(value);
            byte[] json = isRegistered ? registry.json(value) : value;
            return Optional.of(
                    isCloudEvent
                            ? readBinary(record, isRegistered ? null : contentType, json, types)
                            : readPlain(record.key(), json, types));
        } catch (UnreadableValueException e) {
            return Optional.of(refused("data", e.code(), String.valueOf(e.getMessage())));
        }
    }

    private Submission readBinary(SentRecord record, @Nullable String contentType, byte[] json, DeclaredTypes types) {
        Map<String, String> attributes = new HashMap<>();
        for (SentRecord.Header header : record.headers()) {
            byte[] bytes = header.value();
            if (!header.name().startsWith(ATTRIBUTE_PREFIX) || bytes == null) {
                continue;
            }
            String name = header.name().substring(ATTRIBUTE_PREFIX.length()).toLowerCase(Locale.ROOT);
            String text = SentRecord.text(bytes);
            if (text == null) {
                return refused(EventAttributes.shown(name), EventProblem.MALFORMED, "expected UTF-8");
            }
            attributes.put(name, text);
        }
        return events.readBinary(attributes, contentType, json, types);
    }

    private Submission readPlain(byte @Nullable [] key, byte[] json, DeclaredTypes types) {
        if (!types.readsPlain()) {
            return refused(
                    "attributes",
                    EventProblem.MISSING,
                    "expected ce_ headers, found none, and no plain mapping is configured: policy " + types.policy()
                            + " has no section 'plain', which says how to read records without");
        }
        Reading reading = new Reading(json, types);
        return CloudEventReader.read(reading, parser -> {
            parser.nextToken();
            EventAttributes event = reading.event(null, cards);
            byte[] record = data.read(parser, json, event);
            if (record == null) {
                return;
            }
            DeclaredTypes.Plain plain = types.plain(record).orElseThrow();
            reading.envelopeKeys(plain.envelopeKeys());
            events.finish(event, attributes(plain, key, event), reading, null);
        });
    }

    /** Puts the envelope into the event. @return the data; null if they are missing */
    private static byte @Nullable [] attributes(
            DeclaredTypes.Plain plain, byte @Nullable [] key, EventAttributes event) {
        for (DeclaredTypes.Complaint complaint : plain.complaints()) {
            String path = plain.paths().get(complaint.field());
            event.refuse(
                    complaint.field(),
                    complaint.code(),
                    CloudEventReader.detail(complaint) + (path == null ? "" : ", at " + path));
        }
        event.put("specversion", "1.0");
        event.putSourceOfPolicy(plain.source());
        event.putPathsOfPolicy(plain.paths());
        put(event, "id", plain.id());
        put(event, "type", plain.type());
        put(event, "subject", plain.accountIsKey() ? SentRecord.text(key) : plain.account());
        put(event, "time", plain.timeUs() == null ? null : EventTimes.format(plain.timeUs()));
        return plain.data().length == 0 ? null : plain.data();
    }

    private static void put(EventAttributes event, String name, @Nullable String value) {
        if (value != null) {
            event.put(name, value);
        }
    }

    private static Submission refused(String field, String code, String detail) {
        return new Submission(List.of(), List.of(new EventProblem(null, field, code, detail)), List.of(), 1, 0);
    }
}
