package dev.vigil.dashboard.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.dashboard.cases.ActionNotStoredException;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.TopicNames;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KafkaCaseActionsIT {
    private static final List<String> ACCOUNTS = List.of("A-1", "A-2", "A-3", "Å/4", "A-5", "A-6", "A-7", "A-8");

    @TempDir
    static Path directory;

    private static CaseAction note(String account) {
        return new CaseAction(
                "action-" + account,
                "c1",
                account,
                CaseAction.Kind.NOTE,
                "jo",
                1_800_000_000_000L,
                7L,
                null,
                null,
                null,
                "a note");
    }

    @Test
    void shouldStoreActionsInThePartitionOfTheirAccountsEvents() {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory.resolve("kafka"))) {
            KafkaConfig local = KafkaConfig.local(broker.bootstrapServers());
            KafkaConfig kafka = new KafkaConfig(
                    local.bootstrapServers(),
                    new TopicNames("vigil"),
                    5,
                    (short) 1,
                    (short) 1,
                    Duration.ofDays(1),
                    Map.of());
            KafkaTopics.ensure(kafka);
            try (KafkaCaseActions actions = new KafkaCaseActions(kafka);
                    KafkaEventLog log = new KafkaEventLog(kafka, IntakeConfig.defaults())) {
                ACCOUNTS.forEach(account -> {
                    actions.append(note(account));
                    log.append(List.of(event(account))).join();
                });
            }
            Map<String, ConsumerRecord<byte[], byte[]>> stored =
                    byKey(kafka, kafka.topics().caseActions());
            Map<String, ConsumerRecord<byte[], byte[]>> events =
                    byKey(kafka, kafka.topics().events());
            assertThat(stored.keySet()).containsExactlyInAnyOrderElementsOf(ACCOUNTS);
            stored.forEach((account, record) -> {
                assertThat(record.partition()).isEqualTo(events.get(account).partition());
                assertThat(Json.decode(record.value(), CaseAction.class)).isEqualTo(note(account));
            });
            assertThat(stored.values().stream().map(ConsumerRecord::partition).distinct())
                    .as("more than one partition, or this shows nothing")
                    .hasSizeGreaterThan(1);
        }
    }

    private static EventEnvelope event(String account) {
        return new EventEnvelope(
                "e-1", "/shop", "login", 1_800_000_000_000_000L, account, false, "{}".getBytes(StandardCharsets.UTF_8));
    }

    private static Map<String, ConsumerRecord<byte[], byte[]>> byKey(KafkaConfig kafka, String topic) {
        Map<String, ConsumerRecord<byte[], byte[]>> records = new HashMap<>();
        List<TopicPartition> partitions = Stream.iterate(0, i -> i + 1)
                .limit(kafka.partitions())
                .map(i -> new TopicPartition(topic, i))
                .toList();
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, "test", Map.of())) {
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            for (int i = 0; i < 100 && records.size() < ACCOUNTS.size(); i++) {
                consumer.poll(Duration.ofMillis(200))
                        .forEach(record -> records.put(new String(record.key(), StandardCharsets.UTF_8), record));
            }
        }
        return records;
    }

    @Test
    void shouldSayThatTheBrokerDidNotConfirm() {
        try (KafkaCaseActions actions = new KafkaCaseActions(KafkaConfig.local("127.0.0.1:1"))) {
            assertThatThrownBy(() -> actions.append(note("A-1")))
                    .isInstanceOf(ActionNotStoredException.class)
                    .hasMessage("the broker did not confirm the action in vigil.case-actions");
        }
    }
}
