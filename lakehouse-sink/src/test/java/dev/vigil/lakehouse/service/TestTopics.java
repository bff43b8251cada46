package dev.vigil.lakehouse.service;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.ScoredSchema;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;

/** Topics of one test under a prefix of its own, and what the other services would write to them. */
final class TestTopics implements AutoCloseable {
    final KafkaConfig kafka;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    TestTopics(String bootstrapServers, String prefix) {
        KafkaConfig local = KafkaConfig.local(bootstrapServers);
        kafka = new KafkaConfig(
                bootstrapServers,
                new TopicNames(prefix),
                2,
                (short) 1,
                (short) 1,
                Duration.ofDays(1),
                local.properties());
        try (Admin admin = KafkaClients.admin(kafka, "test-admin")) {
            TopicSetup.ensure(admin, kafka);
        }
        producer = KafkaClients.producer(kafka, "test-producer", Map.of());
    }

    TopicNames names() {
        return kafka.topics();
    }

    void scored(ScoredEvent event) {
        send(names().scored(), event.position().partition(), Json.encode(event), Map.of());
    }

    void schema(int partition, ScoredSchema schema) {
        byte[] kind = RecordKinds.SCHEMA.getBytes(StandardCharsets.UTF_8);
        send(names().scored(), partition, Json.encode(schema), Map.of(RecordKinds.HEADER, kind));
    }

    void json(String topic, int partition, Object value) {
        send(topic, partition, Json.encode(value), Map.of());
    }

    void late(EventEnvelope event) {
        sent.add(producer.send(EventRecords.keyed(names().late(), event)));
    }

    void send(String topic, int partition, byte[] value, Map<String, byte[]> headers) {
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(topic, partition, null, value);
        headers.forEach((name, header) -> record.headers().add(name, header));
        sent.add(producer.send(record));
    }

    /** Returns when the broker has everything. */
    void flush() {
        sent.forEach(TestTopics::await);
        sent.clear();
    }

    private static void await(Future<RecordMetadata> record) {
        try {
            record.get(90, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("the broker does not take a record", e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
