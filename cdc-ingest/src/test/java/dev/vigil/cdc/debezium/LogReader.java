package dev.vigil.cdc.debezium;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Reads what stands in the topics. */
final class LogReader {

    /** A record as a test looks at it; data is null where the value is empty. */
    record Entry(
            int partition,
            @Nullable String key,
            Map<String, String> headers,
            @Nullable Map<String, Object> data) {

        String id() {
            return String.valueOf(headers.get(EventEnvelope.ID_HEADER));
        }

        String type() {
            return String.valueOf(headers.get(EventEnvelope.TYPE_HEADER));
        }

        String time() {
            return String.valueOf(headers.get(EventEnvelope.TIME_HEADER));
        }

        boolean backfill() {
            return "true".equals(headers.get(EventEnvelope.BACKFILL_HEADER));
        }

        Object field(String name) {
            if (data == null) {
                throw new AssertionError("the record has no data: " + this);
            }
            return String.valueOf(data.get(name));
        }
    }

    private final String bootstrapServers;
    private final TopicNames topics;

    LogReader(String bootstrapServers, TopicNames topics) {
        this.bootstrapServers = bootstrapServers;
        this.topics = topics;
    }

    List<Entry> events() {
        return read(topics.events());
    }

    List<Entry> events(String type) {
        return events().stream().filter(entry -> entry.type().equals(type)).toList();
    }

    List<Entry> deadLetters() {
        return read(topics.deadLetters());
    }

    /** The log as soon as it fits. */
    List<Entry> awaitEvents(Predicate<List<Entry>> fits) {
        return Awaitility.await().atMost(Duration.ofSeconds(40)).until(this::events, fits);
    }

    List<Entry> awaitDeadLetters(int count) {
        return Awaitility.await().atMost(Duration.ofSeconds(40)).until(this::deadLetters, list -> list.size() >= count);
    }

    /** What came since the last call, whose positions are read and set. */
    List<Entry> eventsFrom(Map<TopicPartition, Long> positions) {
        return read(topics.events(), positions);
    }

    private List<Entry> read(String topic) {
        return read(topic, new HashMap<>());
    }

    private List<Entry> read(String topic, Map<TopicPartition, Long> positions) {
        Map<String, Object> settings = Map.of(
                "bootstrap.servers", bootstrapServers, "allow.auto.create.topics", false, "enable.metrics.push", false);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, Long> starts = consumer.beginningOffsets(partitions);
            partitions.forEach(
                    partition -> consumer.seek(partition, positions.getOrDefault(partition, starts.get(partition))));
            List<Entry> entries = new ArrayList<>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> entries.add(entry(record)));
            }
            partitions.forEach(partition -> positions.put(partition, consumer.position(partition)));
            return entries;
        }
    }

    private static Entry entry(ConsumerRecord<byte[], byte[]> record) {
        Map<String, String> headers = new HashMap<>();
        for (Header header : record.headers()) {
            headers.put(header.key(), new String(header.value(), UTF_8));
        }
        return new Entry(
                record.partition(),
                record.key() == null ? null : new String(record.key(), UTF_8),
                headers,
                record.value().length == 0 ? null : Json.decodeObject(record.value()));
    }
}
