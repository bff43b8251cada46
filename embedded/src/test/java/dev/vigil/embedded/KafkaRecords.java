package dev.vigil.embedded;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Plain reading and writing against a broker under test. */
final class KafkaRecords {

    private final String bootstrapServers;

    KafkaRecords(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    void createTopic(String topic, Map<String, String> settings) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(settings)))
                    .all()
                    .get(30, TimeUnit.SECONDS);
        }
    }

    String clusterId() throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            return admin.describeCluster().clusterId().get(30, TimeUnit.SECONDS);
        }
    }

    RecordMetadata send(String topic, String value, long timestampMs) throws Exception {
        Map<String, Object> settings =
                Map.of("bootstrap.servers", bootstrapServers, "acks", "all", "max.block.ms", 5_000);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            return producer.send(new ProducerRecord<>(topic, 0, timestampMs, null, bytes))
                    .get(30, TimeUnit.SECONDS);
        }
    }

    List<ConsumerRecord<byte[], byte[]>> readAll(String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers);
        try (KafkaConsumer<byte[], byte[]> consumer =
                new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(200)).forEach(records::add);
            }
            return records;
        }
    }

    List<String> readValues(String topic) {
        return readAll(topic).stream()
                .map(record -> new String(record.value(), StandardCharsets.UTF_8))
                .toList();
    }
}
