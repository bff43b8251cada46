package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.Dashboard;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.kafka.ScoringEngine;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.IntakeStatus;
import dev.vigil.service.status.KafkaIntakeStatus;
import dev.vigil.service.status.RecordCounts;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records of a foreign topic on their way to the score, with a real engine and real policies. */
class KafkaIntakeIT {
    private static final String POLICY = """
            policy: p
            version: 1
            currency: EUR
            time: {max_future_skew: 5m}
            events:
              transaction: {account: payer, fields: {amount: money, merchant: string}}
            plain:
              source: our payments
              type: {path: kind}
              id: nr
              time: {path: bookedAt, unit: ms}
              account: payer
            features:
              tx_count_1h: {count: transaction, over: 1h}
            rules:
              - {id: velocity, when: "tx_count_1h > 5", score: 35}
            """;

    @TempDir
    Path directory;

    private static String plain(String nr, long bookedAtMs, String rest) {
        return "{\"nr\":\"" + nr + "\",\"kind\":\"transaction\",\"bookedAt\":" + bookedAtMs + ",\"payer\":\"acc-1\""
                + rest + "}";
    }

    private static String cloudEvent(String id, long timeMs, String type, String data) {
        return "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"/shop\",\"type\":\"" + type
                + "\",\"subject\":\"acc-1\",\"time\":\"" + EventTimes.format(EventTimes.fromEpochMs(timeMs))
                + "\",\"data\":" + data + "}";
    }

    @Test
    void shouldScoreForeignRecordsOnceAndAnswerThemAsByHttp() throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(directory.resolve("kafka"))) {
            Files.writeString(directory.resolve("policy.yaml"), POLICY);
            Path config = Files.writeString(
                    directory.resolve("vigil.yaml"),
                    "data-dir: data\npolicy: policy.yaml\nendpoint: {port: 0}\ndashboard: {port: 0}\nkafka:"
                            + " {bootstrap-servers: \"" + broker.bootstrapServers()
                            + "\", partitions: 2, replication-factor: 1, topics: {intake: bank.payments}}\n");
            VigilConfig loaded = VigilConfig.load(config, Map.of());
            try (Deployment deployment =
                    new Deployment(loaded, EnumSet.of(ServiceName.SCORING_ENGINE, ServiceName.DASHBOARD_API))) {
                deployment.start();
                ScoringEngine engine = deployment.service(ServiceName.SCORING_ENGINE, ScoringEngine.class);
                Dashboard dashboard = deployment.service(ServiceName.DASHBOARD_API, Dashboard.class);
                KafkaConfig kafka = loaded.kafka();
                long nowMs = System.currentTimeMillis();

                // Field case B08: the one from the future moves no window.
                send(kafka, "a", plain("1", nowMs - 2_000, ",\"amount\":12.30,\"merchant\":\"m\""), Map.of());
                send(kafka, "b", plain("2", 4_102_444_800_000L, ",\"amount\":1"), Map.of());
                send(kafka, "c", plain("3", nowMs - 1_000, ",\"amount\":\"7.00\""), Map.of());
                send(kafka, "d", plain("3", nowMs - 1_000, ",\"amount\":\"7.00\""), Map.of());
                await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                    RecordCounts counts = engine.status().counts();
                    assertThat(counts.scored()).isEqualTo(2);
                    assertThat(counts.duplicate())
                            .as("a record that came again")
                            .isEqualTo(1);
                    assertThat(counts.deadLettered()).isZero();
                });
                assertThat(kafka(dashboard).deadLettered()).isEqualTo(1);
                assertThat(kafka(dashboard).missed()).isZero();
                answersAsByHttp(dashboard, config, kafka, nowMs);
            }
        }
    }

    private static KafkaIntakeStatus kafka(Dashboard dashboard) {
        return Objects.requireNonNull(((IntakeStatus) dashboard.status()).kafka());
    }

    private static void answersAsByHttp(Dashboard dashboard, Path config, KafkaConfig kafka, long nowMs)
            throws Exception {
        Map<String, String> reasons = new LinkedHashMap<>();
        reasons.put(cloudEvent("x", nowMs, "transfer", "{}"), "unknown_event_type");
        reasons.put(cloudEvent("x", 4_102_444_800_000L, "transaction", "{}"), "future_event_time");
        reasons.put(cloudEvent("x", nowMs, "transaction", "{\"amount\":\"1.001\"}"), "bad_amount");
        reasons.put(cloudEvent("x", nowMs, "transaction", "{\"payer\":\"acc-2\"}"), "bad_field");
        reasons.put(cloudEvent("x", nowMs, "transaction", "{\"amount\":1,\"currency\":\"USD\"}"), "currency_mismatch");
        long letters = kafka(dashboard).deadLettered();
        for (Map.Entry<String, String> refused : reasons.entrySet()) {
            HttpResponse<String> answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(dashboard.url() + "/api/v1/events"))
                                    .header("content-type", "application/cloudevents+json")
                                    .POST(HttpRequest.BodyPublishers.ofString(refused.getKey()))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).as(refused.getKey()).isEqualTo(400);
            JsonNode problem = Json.mapper().readTree(answer.body()).at("/errors/0");
            assertThat(problem.path("code").asText()).isEqualTo(refused.getValue());
            send(kafka, "k", refused.getKey(), Map.of("content-type", "application/cloudevents+json"));
            long expected = ++letters;
            await().atMost(Duration.ofMinutes(1)).until(() -> kafka(dashboard).deadLettered() == expected);
            CommandResult listed = CommandResult.of(
                    "dead-letters",
                    "list",
                    "--config",
                    config.toString(),
                    "--stage",
                    "intake",
                    "--limit",
                    "1",
                    "--format",
                    "json");
            assertThat(listed.err()).isEmpty();
            assertThat(listed.out())
                    .contains("\"" + refused.getValue() + "\"", "bank.payments:")
                    .contains(problem.path("field").asText());
        }
    }

    private static void send(KafkaConfig kafka, String key, String value, Map<String, String> headers)
            throws Exception {
        List<Header> list = headers.entrySet().stream()
                .<Header>map(header ->
                        new RecordHeader(header.getKey(), header.getValue().getBytes(StandardCharsets.UTF_8)))
                .toList();
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "foreign", Map.of())) {
            producer.send(new ProducerRecord<>(
                            kafka.topics().intake(),
                            null,
                            null,
                            key.getBytes(StandardCharsets.UTF_8),
                            value.getBytes(StandardCharsets.UTF_8),
                            list))
                    .get();
        }
    }
}
