package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.engine.EngineConfig;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.TopicNames;
import dev.vigil.scoring.Policies;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** Vigil's topics under a prefix of their own, what is sent there, and what engines make of it. */
final class Deployment implements AutoCloseable {
    static final int PARTITIONS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final KafkaConfig kafka;
    private final Admin admin;
    private final KafkaProducer<byte[], byte[]> producer;

    private Deployment(KafkaConfig kafka) {
        this.kafka = kafka;
        this.admin = KafkaClients.admin(kafka, "test-admin");
        this.producer = KafkaClients.producer(kafka, "test", Map.of(ProducerConfig.LINGER_MS_CONFIG, 5));
        TopicSetup.ensure(admin, kafka);
    }

    /** The consumer group of the engines. */
    String group() {
        return kafka.topics().prefix() + "-scoring-engine";
    }

    static Deployment on(String bootstrapServers) {
        String prefix = "test-" + java.util.UUID.randomUUID();
        return new Deployment(config(bootstrapServers, prefix, PARTITIONS));
    }

    static KafkaConfig config(String bootstrapServers, String prefix, int partitions) {
        return new KafkaConfig(
                bootstrapServers,
                new TopicNames(prefix),
                partitions,
                (short) 1,
                (short) 1,
                Duration.ofDays(3_000),
                Map.of());
    }

    KafkaConfig kafka() {
        return kafka;
    }

    Admin admin() {
        return admin;
    }

    String topicId() {
        return TopicSetup.ensure(admin, kafka).get(kafka.topics().events());
    }

    ScoringEngine engine(Path data) {
        return engine(data, EngineConfig.defaults(data));
    }

    ScoringEngine engine(Path data, EngineConfig config) {
        return new ScoringEngine(kafka, config, data, System::currentTimeMillis, new SimpleMeterRegistry());
    }

    void activate(String policyText) {
        new PolicyPublisher(kafka).activate(Policies.check("test.yaml", policyText), 1);
    }

    /** Sends and returns when the broker has them all. */
    void send(List<EventEnvelope> events) {
        events.forEach(event -> send(EventRecords.keyed(kafka.topics().events(), event)));
        producer.flush();
    }

    /** Sends without waiting. */
    void send(ProducerRecord<byte[], byte[]> record) {
        var unused = producer.send(record);
    }

    void flush() {
        producer.flush();
    }

    List<ConsumerRecord<byte[], byte[]>> log() {
        return records(kafka.topics().events());
    }

    /** Every topic that the engine writes, but the log. */
    List<String> outputTopics() {
        TopicNames topics = kafka.topics();
        return List.of(topics.scored(), topics.alerts(), topics.late(), topics.deadLetters(), topics.summaries());
    }

    List<Output> outputs() {
        List<Output> outputs = new ArrayList<>();
        for (String topic : outputTopics()) {
            records(topic).forEach(record -> outputs.add(Output.of(record)));
        }
        return outputs;
    }

    OfflineRun offline() {
        return OfflineRun.over(log(), kafka.topics(), topicId());
    }

    private static List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    List<ConsumerRecord<byte[], byte[]>> records(String topic) {
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, "test-reader", Map.of())) {
            List<TopicPartition> partitions = partitions(topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
            }
            return records;
        }
    }

    private long logEnd(int partition) {
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, "test-reader", Map.of())) {
            TopicPartition tp = new TopicPartition(kafka.topics().events(), partition);
            return consumer.endOffsets(List.of(tp)).get(tp);
        }
    }

    /** Waits until the engines together have scored all that is in the log now. */
    void awaitScored(ScoringEngine... engines) {
        long[] ends = IntStream.range(0, PARTITIONS).mapToLong(this::logEnd).toArray();
        await().atMost(PATIENCE).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
            for (int partition = 0; partition < PARTITIONS; partition++) {
                long furthest = -1;
                for (ScoringEngine engine : engines) {
                    EngineStatus status = engine.status();
                    assertThat(status.problem()).isNull();
                    for (PartitionStatus one : status.partitions()) {
                        furthest = one.partition() == partition ? Math.max(furthest, one.nextOffset()) : furthest;
                    }
                }
                assertThat(furthest).as("partition %d", partition).isGreaterThanOrEqualTo(ends[partition]);
            }
        });
    }

    /** Waits until the engine has stopped for a reason that a person has to see to, and returns that. */
    static String awaitProblem(ScoringEngine engine) {
        await().atMost(PATIENCE).until(() -> engine.status().problem() != null);
        return engine.status().problem();
    }

    /** Asserts that the outputs are those of the offline run, each once. */
    void assertExact() {
        assertThat(Output.byPlace(outputs())).isEqualTo(Output.byPlace(offline().outputs()));
    }

    /** Asserts that the outputs, repeats aside, are those of the offline run. */
    void assertSameWithoutRepeats() {
        assertThat(Output.withoutRepeats(outputs()))
                .isEqualTo(Output.withoutRepeats(offline().outputs()));
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
        admin.close(Duration.ofSeconds(5));
    }
}
