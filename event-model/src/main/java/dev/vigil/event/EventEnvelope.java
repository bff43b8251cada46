package dev.vigil.event;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A CloudEvents 1.0 event on its way into the log, in Kafka's binary mode: attributes as {@code ce_} headers, data as the
 * record's value, the account as its key. Identity is ({@code source}, {@code id}).
 *
 * @param timeUs event time, µs since the epoch
 * @param subject account id; empty for control records, which concern a whole partition
 * @param backfill from a snapshot or a load of history: enters windows, is scored, never alerts
 * @param data JSON; empty for a deleted reference row and for ticks
 */
public record EventEnvelope(
        String id, String source, String type, long timeUs, String subject, boolean backfill, byte[] data) {
    public static final String ID_HEADER = "ce_id";
    public static final String SOURCE_HEADER = "ce_source";
    public static final String TYPE_HEADER = "ce_type";
    public static final String TIME_HEADER = "ce_time";
    public static final String SUBJECT_HEADER = "ce_subject";
    public static final String SPEC_VERSION_HEADER = "ce_specversion";
    /** Extension attribute {@code vigilbackfill}: {@code true} on backfilled events, else left out. */
    public static final String BACKFILL_HEADER = "ce_vigilbackfill";

    public static final String CONTENT_TYPE_HEADER = "content-type";

    public EventEnvelope {
        require(!id.isEmpty(), "id");
        require(!source.isEmpty(), "source");
        require(!type.isEmpty(), "type");
    }

    private static void require(boolean holds, String attribute) {
        if (!holds) {
            throw new IllegalArgumentException("an event needs a non-empty " + attribute);
        }
    }

    /** Attributes as headers, in a fixed order. */
    public Map<String, byte[]> headers() {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        put(headers, SPEC_VERSION_HEADER, "1.0");
        put(headers, ID_HEADER, id);
        put(headers, SOURCE_HEADER, source);
        put(headers, TYPE_HEADER, type);
        put(headers, TIME_HEADER, EventTimes.format(timeUs));
        put(headers, SUBJECT_HEADER, subject);
        put(headers, BACKFILL_HEADER, backfill ? "true" : null);
        put(headers, CONTENT_TYPE_HEADER, "application/json");
        return headers;
    }

    private static void put(Map<String, byte[]> headers, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            headers.put(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }
}
