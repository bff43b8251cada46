package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.kafka.ScoringEngine;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.RecordCounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record that the policy did not know, put back once it does, with a real engine. */
class DeadLetterRetryIT {
    @TempDir
    Path directory;

    @Test
    void shouldScoreARetriedRecordOnceHoweverOftenItIsPutBack() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory.resolve("kafka"))) {
            Path config = Files.writeString(
                    directory.resolve("vigil.yaml"),
                    "data-dir: data\npolicy: policy.yaml\nendpoint: {port: 0}\nkafka: {bootstrap-servers: \""
                            + broker.bootstrapServers() + "\", partitions: 2, replication-factor: 1}\n");
            policy(1, "transaction: {fields: {amount: money}}");
            VigilConfig loaded = VigilConfig.load(config, Map.of());
            try (Deployment deployment = new Deployment(loaded, EnumSet.of(ServiceName.SCORING_ENGINE))) {
                deployment.start();
                ScoringEngine engine = deployment.service(ServiceName.SCORING_ENGINE, ScoringEngine.class);
                send(loaded.kafka(), login());
                awaitCounts(engine, counts -> counts.deadLettered() == 1);
                String listed = vigil("list", config);
                assertThat(listed).contains("unknown_event_type  scoring-engine");
                String position =
                        listed.lines().skip(1).findFirst().orElseThrow().split(" ")[0];

                policy(2, "transaction: {fields: {amount: money}}\n  login: {fields: {device: string}}");
                assertThat(CommandResult.of(
                                        "policy",
                                        "apply",
                                        "--config",
                                        config.toString(),
                                        directory.resolve("policy.yaml").toString())
                                .exitCode())
                        .isZero();
                vigil("retry", config, position);
                awaitCounts(engine, counts -> counts.scored() == 1);
                vigil("retry", config, position);
                awaitCounts(engine, counts -> counts.duplicate() == 1);

                RecordCounts counts = engine.status().counts();
                assertThat(counts.scored()).isEqualTo(1);
                assertThat(counts.deadLettered()).isEqualTo(1);
            }
        }
    }

    private static String vigil(String command, Path config, String... more) {
        String[] arguments = new String[more.length + 4];
        System.arraycopy(new String[] {"dead-letters", command, "--config", config.toString()}, 0, arguments, 0, 4);
        System.arraycopy(more, 0, arguments, 4, more.length);
        CommandResult result = CommandResult.of(arguments);
        assertThat(result.err()).isEmpty();
        return result.out();
    }

    private static void awaitCounts(ScoringEngine engine, Predicate<RecordCounts> wanted) {
        await().atMost(Duration.ofMinutes(2)).until(() -> engine.status().counts(), wanted);
    }

    private static EventEnvelope login() {
        return new EventEnvelope(
                "l-1",
                "/app",
                "login",
                EventTimes.fromEpochMs(System.currentTimeMillis()),
                "acc-1",
                false,
                "{\"device\":\"d1\"}".getBytes(StandardCharsets.UTF_8));
    }

    private static void send(KafkaConfig kafka, EventEnvelope event) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test", Map.of())) {
            producer.send(EventRecords.keyed(kafka.topics().events(), event)).get();
        }
    }

    private void policy(int version, String events) throws IOException {
        Files.writeString(directory.resolve("policy.yaml"), """
                policy: p
                version: %d
                currency: EUR
                events:
                  %s
                features:
                  tx_count_1h: {count: transaction, over: 1h}
                rules:
                  - {id: velocity, when: "tx_count_1h > 5", score: 35}
                """.formatted(version, events));
    }
}
