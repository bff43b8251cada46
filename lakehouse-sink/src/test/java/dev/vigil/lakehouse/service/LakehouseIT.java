package dev.vigil.lakehouse.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Delivery;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.FieldType;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.TestRecords;
import dev.vigil.lakehouse.query.HistoryQuery;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LakehouseIT {
    private static final Duration LONG = Duration.ofSeconds(90);

    @TempDir
    static Path brokerDir;

    @TempDir
    Path dataDir;

    private static EmbeddedKafka broker;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start(brokerDir);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void shouldTurnEveryTopicIntoHistoryOnceAcrossARestart() {
        try (TestTopics topics = new TestTopics(broker.bootstrapServers(), "whole")) {
            topics.schema(0, TestRecords.schema(1, Map.of("amount", FieldType.MONEY), Map.of()));
            for (int offset = 0; offset < 300; offset++) {
                topics.scored(TestRecords.scored(offset % 2, offset));
            }
            topics.json(topics.names().alerts(), 0, TestRecords.alert(0, 10));
            topics.json(topics.names().alerts(), 0, TestRecords.alert(0, 10));
            topics.json(topics.names().deliveries(), 1, TestRecords.delivery(0, 10, 1, Delivery.Outcome.FAILED));
            topics.json(topics.names().deliveries(), 1, TestRecords.delivery(0, 10, 2, Delivery.Outcome.DELIVERED));
            topics.json(topics.names().summaries(), 0, TestRecords.summary(10, 0, 0));
            topics.json(topics.names().summaries(), 0, TestRecords.summary(10, 0, 0));
            topics.late(new EventEnvelope(
                    "late-1", "/bank", "transaction", TestRecords.NOON_US, "account-1", false, utf8("{\"amount\":1}")));
            topics.flush();

            try (Lakehouse lakehouse = lakehouse(topics.kafka)) {
                lakehouse.start();
                assertThat(lakehouse.flushNow(LONG)).isTrue();
                assertThat(rows(lakehouse.status())).containsExactly(300L, 1L, 2L, 1L, 1L);
                assertThat(count("SELECT count(DISTINCT event_id) FROM scored_events"))
                        .isEqualTo(300L);

                // The engine died and says again what it said since its last checkpoint.
                for (int offset = 250; offset < 350; offset++) {
                    topics.scored(TestRecords.scored(offset % 2, offset));
                }
                topics.send(topics.names().scored(), 0, utf8("{broken"), Map.of());
                topics.flush();
            }
            try (Lakehouse restarted = lakehouse(topics.kafka)) {
                restarted.start();
                assertThat(restarted.flushNow(LONG)).isTrue();

                LakehouseStatus status = restarted.status();
                assertThat(status.state()).isEqualTo(ServiceState.RUNNING);
                assertThat(status.problem()).isNull();
                assertThat(status.pendingRows()).isZero();
                assertThat(rows(status)).containsExactly(350L, 1L, 2L, 1L, 1L);
                assertThat(status.tables().get(0).snapshots()).isBetween(2L, 3L);
                assertThat(status.tables()).allSatisfy(table -> {
                    assertThat(table.lastCommitAtMs()).isPositive();
                    assertThat(table.lastSnapshotId()).isNotNull();
                });
                await().atMost(LONG).until(() -> restarted.status().freshUntilMs() != null);
            }
            assertThat(count("SELECT count(*) FROM scored_events")).isEqualTo(350L);
            assertThat(count("SELECT count(DISTINCT (source_partition, source_offset)) FROM scored_events"))
                    .isEqualTo(350L);
            assertThat(deadLetters(topics)).allSatisfy(letter -> {
                assertThat(new String(letter.value(), StandardCharsets.UTF_8)).isEqualTo("{broken");
                assertThat(new String(
                                letter.headers()
                                        .lastHeader(DeadLetter.REASON_HEADER)
                                        .value(),
                                StandardCharsets.UTF_8))
                        .isEqualTo("malformed_json");
            });
        }
    }

    @Test
    void shouldWaitForABrokerThatIsAwayAndCatchUp() {
        try (TestTopics topics = new TestTopics(broker.bootstrapServers(), "away");
                Lakehouse lakehouse = lakehouse(topics.kafka)) {
            lakehouse.start();
            topics.scored(TestRecords.scored(0, 0));
            topics.flush();
            assertThat(lakehouse.flushNow(LONG)).isTrue();

            int port = broker.port();
            broker.close();
            await().atMost(LONG).until(() -> lakehouse.status().problem() != null);
            assertThat(lakehouse.status().state()).isEqualTo(ServiceState.RUNNING);

            broker = EmbeddedKafka.start(brokerDir, port);
            topics.scored(TestRecords.scored(0, 1));
            topics.flush();
            await().atMost(LONG).until(() -> lakehouse.flushNow(LONG));
            assertThat(count("SELECT count(*) FROM scored_events")).isEqualTo(2L);
            await().atMost(LONG).until(() -> lakehouse.status().problem() == null);
        }
    }

    @Test
    void shouldRefuseToStartWhereItCannotWriteOrItsCatalogCannotBeMeant() throws IOException {
        KafkaConfig kafka = KafkaConfig.local(broker.bootstrapServers());
        Path file = Files.writeString(dataDir.resolve("file"), "in the way");
        try (Lakehouse lakehouse = new Lakehouse(
                kafka, LakehouseConfig.defaults(), file, System::currentTimeMillis, new SimpleMeterRegistry())) {
            assertThatThrownBy(lakehouse::start)
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("expected a directory that can be made");
        }
        LakehouseConfig.Catalog typo = new LakehouseConfig.Catalog("vigil", Map.of("type", "jdbcc"));
        LakehouseConfig defaults = LakehouseConfig.defaults();
        LakehouseConfig config = new LakehouseConfig(defaults.commitInterval(), 10, 4, false, null, typo);
        try (Lakehouse lakehouse =
                new Lakehouse(kafka, config, dataDir, System::currentTimeMillis, new SimpleMeterRegistry())) {
            assertThatThrownBy(lakehouse::start)
                    .isInstanceOf(ServiceException.class)
                    .hasMessageContaining("lakehouse.catalog")
                    .hasMessageContaining("jdbcc");
        }
    }

    private Lakehouse lakehouse(KafkaConfig kafka) {
        return new Lakehouse(
                kafka, LakehouseConfig.defaults(), dataDir, System::currentTimeMillis, new SimpleMeterRegistry());
    }

    private static List<Long> rows(LakehouseStatus status) {
        return status.tables().stream().map(LakehouseStatus.TableStatus::rows).toList();
    }

    private Object count(String sql) {
        try (HistoryQuery query = HistoryQuery.open(LakehouseConfig.defaults(), dataDir)) {
            return query.run(sql).rows().get(0).get(0);
        }
    }

    private static List<ConsumerRecord<byte[], byte[]>> deadLetters(TestTopics topics) {
        TopicPartition[] partitions = {
            new TopicPartition(topics.names().deadLetters(), 0),
            new TopicPartition(topics.names().deadLetters(), 1)
        };
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(
                topics.kafka, "test-reader", Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"))) {
            consumer.assign(List.of(partitions));
            List<ConsumerRecord<byte[], byte[]>> letters = new java.util.ArrayList<>();
            await().atMost(LONG).until(() -> {
                consumer.poll(Duration.ofMillis(200)).forEach(letters::add);
                return !letters.isEmpty();
            });
            return letters;
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
