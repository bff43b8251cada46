package dev.vigil.backtest.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.backtest.Label;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The label {@code fraud} of the log's events, gathered before the events are scored, since labels come later. Of several
 * of one event the last holds. Memory grows with the labels.
 */
final class LogLabels {
    private static final String FRAUD = "fraud";

    private record Identity(String source, String id) {}

    private final Map<Identity, Boolean> fraud = new HashMap<>();

    /** Takes in a record of the log, of whatever kind. */
    void add(ConsumerRecord<byte[], byte[]> record) {
        byte[] data = record.value();
        if (data == null || !EventTypes.LABEL.equals(header(record, EventEnvelope.TYPE_HEADER))) {
            return;
        }
        try {
            JsonNode label = Json.mapper().readTree(data);
            if (label != null
                    && label.path("label").asText().equals(FRAUD)
                    && label.path("value").isBoolean()) {
                fraud.put(
                        new Identity(
                                label.path("event_source").asText(),
                                label.path("event_id").asText()),
                        label.path("value").booleanValue());
            }
        } catch (IOException e) {
            // Not JSON: scoring sets the record aside and says so.
            return;
        }
    }

    Label of(ConsumerRecord<byte[], byte[]> event) {
        if (fraud.isEmpty()) {
            return Label.UNKNOWN;
        }
        String source = header(event, EventEnvelope.SOURCE_HEADER);
        String id = header(event, EventEnvelope.ID_HEADER);
        Boolean known = source == null || id == null ? null : fraud.get(new Identity(source, id));
        if (known == null) {
            return Label.UNKNOWN;
        }
        return known ? Label.FRAUD : Label.LEGITIMATE;
    }

    static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
        Header header = record.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }
}
