package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** What Vigil relies on of a broker, embedded or deployed, asked with Vigil's own clients. */
abstract class KafkaContract {
    private static final long YEAR_2001_MS = 978_307_200_000L;
    private static final int PARTITIONS = 2;

    abstract String bootstrapServers();

    private KafkaConfig newTopics() {
        return new KafkaConfig(
                bootstrapServers(),
                new TopicNames("contract-" + UUID.randomUUID()),
                PARTITIONS,
                (short) 1,
                (short) 1,
                Duration.ofDays(1),
                Map.of());
    }

    private static Map<String, String> ensure(KafkaConfig config) {
        try (Admin admin = KafkaClients.admin(config, "contract")) {
            return TopicSetup.ensure(admin, config);
        }
    }

    @Test
    void shouldCreateTopicsOnceAndKeepTheirIds() throws Exception {
        KafkaConfig config = newTopics();

        Map<String, String> ids = ensure(config);

        assertThat(ensure(config)).isEqualTo(ids);
        assertThat(ids.keySet())
                .containsExactlyInAnyOrderElementsOf(config.topics().all());
        try (Admin admin = KafkaClients.admin(config, "contract")) {
            for (TopicDescription topic :
                    admin.describeTopics(ids.keySet()).allTopicNames().get().values()) {
                boolean isRegister = topic.name().equals(config.topics().policies())
                        || topic.name().equals(config.topics().endpoints());
                assertThat(topic.partitions()).as(topic.name()).hasSize(isRegister ? 1 : PARTITIONS);
                assertThat(topic.topicId()).hasToString(ids.get(topic.name()));
            }
        }
    }

    @Test
    void shouldStampTheLogWithTheTimeOfItsAppendAndOtherTopicsAsTheProducerSays() throws Exception {
        KafkaConfig config = newTopics();
        ensure(config);
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(config, "contract", Map.of())) {
            send(producer, config.topics().events(), "a");
            send(producer, config.topics().scored(), "b");
        }

        assertThat(read(config, config.topics().events())).singleElement().satisfies(record -> {
            assertThat(record.timestampType()).isEqualTo(TimestampType.LOG_APPEND_TIME);
            assertThat(record.timestamp()).isGreaterThan(YEAR_2001_MS);
        });
        assertThat(read(config, config.topics().scored()))
                .singleElement()
                .satisfies(record -> assertThat(record.timestamp()).isEqualTo(YEAR_2001_MS));
    }

    @Test
    void shouldShowRecordsOfCommittedTransactionsOnly() throws Exception {
        KafkaConfig config = newTopics();
        ensure(config);
        Map<String, Object> transactional =
                Map.of(ProducerConfig.TRANSACTIONAL_ID_CONFIG, config.topics().prefix());
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(config, "contract", transactional)) {
            producer.initTransactions();
            producer.beginTransaction();
            send(producer, config.topics().events(), "aborted");
            producer.abortTransaction();
            producer.beginTransaction();
            send(producer, config.topics().events(), "committed");
            producer.commitTransaction();
        }

        assertThat(read(config, config.topics().events()))
                .extracting(record -> new String(record.value(), StandardCharsets.UTF_8))
                .containsExactly("committed");
    }

    @Test
    void shouldNotCreateTopicsByItself() {
        KafkaConfig config = newTopics();
        Map<String, Object> impatient = Map.of(
                ProducerConfig.MAX_BLOCK_MS_CONFIG, 3_000,
                ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 3_000,
                ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2_000);
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(config, "contract", impatient)) {
            assertThatThrownBy(() -> send(producer, config.topics().events(), "a"))
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseInstanceOf(UnknownTopicOrPartitionException.class);
        }
    }

    private static void send(KafkaProducer<byte[], byte[]> producer, String topic, String value) throws Exception {
        producer.send(new ProducerRecord<>(topic, 0, YEAR_2001_MS, null, value.getBytes(StandardCharsets.UTF_8)))
                .get(30, TimeUnit.SECONDS);
    }

    private static List<ConsumerRecord<byte[], byte[]>> read(KafkaConfig config, String topic) {
        TopicPartition partition = new TopicPartition(topic, 0);
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(config, "contract", Map.of())) {
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
}
