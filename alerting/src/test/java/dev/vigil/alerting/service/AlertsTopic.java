package dev.vigil.alerting.service;

import dev.vigil.alerting.TestAlerts;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import dev.vigil.event.TopicNames;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Vigil's topics under a prefix of the test's own: alerts and actions go in, deliveries, labels and dead letters come out. */
final class AlertsTopic implements AutoCloseable {
    private final KafkaConfig kafka;
    private final KafkaProducer<byte[], byte[]> producer;

    AlertsTopic(String bootstrapServers, String prefix) {
        this.kafka = new KafkaConfig(
                bootstrapServers, new TopicNames(prefix), 2, (short) 1, (short) 1, Duration.ofDays(30), Map.of());
        try (Admin admin = KafkaClients.admin(kafka, "test-setup")) {
            TopicSetup.ensure(admin, kafka);
        }
        this.producer = KafkaClients.producer(kafka, "test-engine", Map.of());
    }

    KafkaConfig kafka() {
        return kafka;
    }

    void put(TestAlerts... alerts) throws Exception {
        for (TestAlerts alert : alerts) {
            put(alert.partition(), alert.json());
        }
    }

    void put(int partition, byte[] value) throws Exception {
        producer.send(new ProducerRecord<>(kafka.topics().alerts(), partition, null, value))
                .get();
    }

    /** @param partition that of the alerts of its case */
    void put(CaseAction action, int partition) throws Exception {
        putAction(Json.encode(action), partition);
    }

    void putAction(byte[] value, int partition) throws Exception {
        producer.send(new ProducerRecord<>(kafka.topics().caseActions(), partition, null, value))
                .get();
    }

    List<Delivery> deliveries() {
        return records(kafka.topics().deliveries()).stream()
                .map(record -> Json.decode(record.value(), Delivery.class))
                .toList();
    }

    /** Every record of the topic so far. */
    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        List<TopicPartition> partitions = IntStream.range(0, kafka.partitions())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, "test-reader", Map.of())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
        }
        return records;
    }

    @Override
    public void close() {
        producer.close();
    }
}
