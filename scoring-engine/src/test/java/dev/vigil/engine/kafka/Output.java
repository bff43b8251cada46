package dev.vigil.engine.kafka;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.Json;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.Summary;
import dev.vigil.event.TopicNames;
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
    /**
     * Where it comes from, as readers tell it from others that drop repeats.
     *
     * @param offset in the log, of the record that led to it
     * @param key tells the outputs of one offset apart
     */
    record Source(long offset, String key) {}

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
        return Json.decodeObject(bytes());
    }

    private byte[] bytes() {
        return value.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** The topic's partition, within which outputs are in the order of the log. */
    String place() {
        return topic + "-" + partition;
    }

    /** What its topic is for, as {@link TopicNames#ROLES} names it. */
    String role() {
        return topic.substring(topic.lastIndexOf('.') + 1);
    }

    /** A score anew of an event that was scored before. */
    boolean isCorrection() {
        return role().equals("scored")
                && !isSchema()
                && Json.decode(bytes(), ScoredEvent.class).revision() != 0;
    }

    private boolean isSchema() {
        return RecordKinds.SCHEMA.equals(header(RecordKinds.HEADER));
    }

    Source source() {
        String position = header(DeadLetter.POSITION_HEADER);
        if (position != null) {
            return new Source(SourcePosition.parse(position).offset(), "");
        }
        if (role().equals("summaries")) {
            Summary summary = Json.decode(bytes(), Summary.class);
            return new Source(summary.position().offset(), summary.keyAtPosition());
        }
        if (role().equals("scored") && !isSchema()) {
            ScoredEvent event = Json.decode(bytes(), ScoredEvent.class);
            return new Source(event.position().offset(), event.keyAtPosition());
        }
        Map<?, ?> inValue = (Map<?, ?>) json().get("position");
        return new Source(((Number) inValue.get("offset")).longValue(), isSchema() ? RecordKinds.SCHEMA : "");
    }

    /** What a reader keeps that drops what it has passed, by topic and partition. */
    static Map<String, List<Output>> withoutRepeats(List<Output> outputs) {
        Map<String, List<Output>> kept = new TreeMap<>();
        Map<String, Long> passed = new HashMap<>();
        Map<String, Set<String>> keysAtPassed = new HashMap<>();
        for (Output output : outputs) {
            Source source = output.source();
            Set<String> keys = keysAtPassed.computeIfAbsent(output.place(), p -> new HashSet<>());
            if (source.offset() > passed.getOrDefault(output.place(), -1L)) {
                passed.put(output.place(), source.offset());
                keys.clear();
            }
            if (source.offset() == passed.get(output.place()) && keys.add(source.key())) {
                kept.computeIfAbsent(output.place(), p -> new ArrayList<>()).add(output);
            }
        }
        return kept;
    }

    /** All of them, in order, by topic and partition. */
    static Map<String, List<Output>> byPlace(List<Output> outputs) {
        Map<String, List<Output>> all = new TreeMap<>();
        for (Output output : outputs) {
            all.computeIfAbsent(output.place(), p -> new ArrayList<>()).add(output);
        }
        return all;
    }
}
