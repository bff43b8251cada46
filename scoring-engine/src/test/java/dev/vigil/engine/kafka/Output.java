package dev.vigil.engine.kafka;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.Json;
import dev.vigil.event.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** A record of one of the engine's topics, to be compared byte for byte (as Latin-1 text, which keeps every byte). */
record Output(String topic, int partition, @Nullable String key, String value, List<String> headers) {
    static Output of(ConsumerRecord<byte[], byte[]> record) {
        return of(record.topic(), record.partition(), record.key(), record.value(), record.headers());
    }

    static Output of(
            String topic,
            int partition,
            byte @Nullable [] key,
            byte @Nullable [] value,
            Iterable<? extends Header> headers) {
        List<String> texts = new ArrayList<>();
        headers.forEach(header -> texts.add(header.key() + "=" + latin1(header.value())));
        return new Output(topic, partition, key == null ? null : latin1(key), latin1(value), texts);
    }

    private static String latin1(byte @Nullable [] bytes) {
        return bytes == null ? "" : new String(bytes, StandardCharsets.ISO_8859_1);
    }

    @Nullable
    String header(String name) {
        return headers.stream()
                .filter(header -> header.startsWith(name + "="))
                .map(header -> header.substring(name.length() + 1))
                .reduce((first, last) -> last)
                .orElse(null);
    }

    Map<String, Object> json() {
        return Json.decodeObject(value.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Offset in the log of the record that this comes from. */
    long sourceOffset() {
        String position = header(DeadLetter.POSITION_HEADER);
        if (position != null) {
            return SourcePosition.parse(position).offset();
        }
        Map<?, ?> inValue = (Map<?, ?>) json().get("position");
        return ((Number) inValue.get("offset")).longValue();
    }

    /** Tells the outputs of one position apart. */
    private String keyWithinPosition() {
        Map<String, Object> json = header(DeadLetter.POSITION_HEADER) == null ? json() : Map.of();
        return json.get("index") + "#" + json.get("revision") + "#" + json.get("source") + "#" + json.get("event_id");
    }

    /** What a reader keeps that drops what it has passed, by topic and partition. */
    static Map<String, List<Output>> withoutRepeats(List<Output> outputs) {
        Map<String, List<Output>> kept = new TreeMap<>();
        Map<String, Long> passed = new HashMap<>();
        Map<String, Set<String>> keysAtPassed = new HashMap<>();
        for (Output output : outputs) {
            String place = output.topic() + "-" + output.partition();
            Set<String> keys = keysAtPassed.computeIfAbsent(place, p -> new HashSet<>());
            if (output.sourceOffset() > passed.getOrDefault(place, -1L)) {
                passed.put(place, output.sourceOffset());
                keys.clear();
            }
            if (output.sourceOffset() == passed.get(place) && keys.add(output.keyWithinPosition())) {
                kept.computeIfAbsent(place, p -> new ArrayList<>()).add(output);
            }
        }
        return kept;
    }

    /** All of them, in order, by topic and partition. */
    static Map<String, List<Output>> byPlace(List<Output> outputs) {
        Map<String, List<Output>> all = new TreeMap<>();
        for (Output output : outputs) {
            all.computeIfAbsent(output.topic() + "-" + output.partition(), p -> new ArrayList<>())
                    .add(output);
        }
        return all;
    }
}
