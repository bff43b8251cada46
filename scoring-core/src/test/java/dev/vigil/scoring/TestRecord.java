package dev.vigil.scoring;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A record of the log, written as shortly as a test can. Each {@code with…} gives another record. */
record TestRecord(long ingestTimeMs, @Nullable String key, Map<String, String> headers, byte @Nullable [] value) {
    static final String ACCOUNT = "acc-1";
    static final String SOURCE = "/test";

    /** A business event of {@link #ACCOUNT}, appended in the millisecond after its event time. */
    static TestRecord event(String type, String id, long timeUs, String json) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put(EventEnvelope.ID_HEADER, id);
        headers.put(EventEnvelope.SOURCE_HEADER, SOURCE);
        headers.put(EventEnvelope.TYPE_HEADER, type);
        headers.put(EventEnvelope.TIME_HEADER, EventTimes.format(timeUs));
        return new TestRecord(
                Math.floorDiv(timeUs, 1_000L) + 1, ACCOUNT, headers, json.getBytes(StandardCharsets.UTF_8));
    }

    static TestRecord policy(String yaml) {
        return event(EventTypes.POLICY, "policy", 0, "").withKey(null).withJson(Map.of("policy", yaml));
    }

    static TestRecord tick(long timeUs) {
        return event(EventTypes.TICK, "tick", timeUs, "").withKey(null).withValue(null);
    }

    static TestRecord label(String eventId, String label, boolean value) {
        return event(EventTypes.LABEL, "label-" + eventId, 0, "")
                .withJson(Map.of("event_source", SOURCE, "event_id", eventId, "label", label, "value", value));
    }

    static TestRecord reference(String name, @Nullable String json) {
        TestRecord row = event(EventTypes.REFERENCE_PREFIX + name, "row", 0, "");
        return row.withValue(json == null ? null : json.getBytes(StandardCharsets.UTF_8));
    }

    TestRecord withAccount(String account) {
        return withKey(account);
    }

    TestRecord withKey(@Nullable String newKey) {
        return new TestRecord(ingestTimeMs, newKey, headers, value);
    }

    TestRecord withIngestTimeMs(long newIngestTimeMs) {
        return new TestRecord(newIngestTimeMs, key, headers, value);
    }

    TestRecord withHeader(String name, @Nullable String text) {
        Map<String, String> changed = new LinkedHashMap<>(headers);
        if (text == null) {
            changed.remove(name);
        } else {
            changed.put(name, text);
        }
        return new TestRecord(ingestTimeMs, key, changed, value);
    }

    TestRecord withValue(byte @Nullable [] newValue) {
        return new TestRecord(ingestTimeMs, key, headers, newValue);
    }

    TestRecord withJson(Map<String, Object> json) {
        return withValue(Json.encode(json));
    }

    TestRecord asBackfill() {
        return withHeader(EventEnvelope.BACKFILL_HEADER, "true");
    }

    void fill(LogRecord record, long offset) {
        record.begin(offset, ingestTimeMs, key == null ? null : key.getBytes(StandardCharsets.UTF_8), value);
        headers.forEach((name, text) -> record.header(name, text.getBytes(StandardCharsets.UTF_8)));
    }
}
