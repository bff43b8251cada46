package dev.vigil.dashboard.kafka;

import static dev.vigil.dashboard.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.Dashboard;
import dev.vigil.dashboard.DashboardConfig;
import dev.vigil.dashboard.http.HttpConfig;
import dev.vigil.dashboard.http.QueryConfig;
import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Delivery;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service on a real broker. */
final class DashboardKafkaIT {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    @TempDir
    static Path directory;

    private static EmbeddedKafka broker;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start(directory.resolve("kafka"));
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    private static KafkaConfig kafka(String prefix) {
        KafkaConfig local = KafkaConfig.local(broker.bootstrapServers());
        return new KafkaConfig(
                local.bootstrapServers(),
                new dev.vigil.event.TopicNames(prefix),
                2,
                (short) 1,
                (short) 1,
                Duration.ofDays(1),
                Map.of());
    }

    private static Dashboard dashboard(KafkaConfig kafka, StatusBoard board) {
        DashboardConfig config = new DashboardConfig(
                HttpConfig.local(0),
                null,
                100,
                100,
                10,
                FakePolicies.config("{max-events: 100, max-in-flight: 8, broker-timeout: 2s}"),
                QueryConfig.defaults(),
                Map.of());
        return new Dashboard(
                kafka,
                config,
                board,
                null,
                null,
                null,
                null,
                FakePolicies.takingAll(),
                System::currentTimeMillis,
                new SimpleMeterRegistry());
    }

    private static void start(Dashboard dashboard) {
        dashboard.start();
        await().until(() -> dashboard.status().state() == ServiceState.RUNNING);
    }

    private static HttpResponse<String> send(Dashboard dashboard, String id, String account)
            throws IOException, InterruptedException {
        String event = """
                {"specversion":"1.0","id":"%s","source":"/shop","type":"login","subject":"%s",
                 "time":"2026-11-30T06:55:24.25Z","data":{"device":"d1"}}""".formatted(id, account);
        return HTTP.send(
                HttpRequest.newBuilder(URI.create(dashboard.url() + "/api/v1/events"))
                        .header("Content-Type", "application/cloudevents+json")
                        .POST(HttpRequest.BodyPublishers.ofString(event))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode get(Dashboard dashboard, String path) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(dashboard.url() + path)).build();
        return Json.mapper()
                .readTree(
                        HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }

    @Test
    void shouldHoldEveryAcceptedEventInTheLogKeyedByAccount() throws Exception {
        KafkaConfig kafka = kafka("intake");
        try (Dashboard dashboard = dashboard(kafka, new StatusBoard())) {
            start(dashboard);
            for (int i = 0; i < 20; i++) {
                assertThat(send(dashboard, "e" + i, "acc-" + i % 5).statusCode())
                        .isEqualTo(202);
            }
            List<ConsumerRecord<byte[], byte[]>> records =
                    readAll(kafka, kafka.topics().events());
            assertThat(records).hasSize(20);
            for (ConsumerRecord<byte[], byte[]> record : records) {
                assertThat(new String(record.key(), StandardCharsets.UTF_8)).startsWith("acc-");
                assertThat(header(record, EventEnvelope.TYPE_HEADER)).isEqualTo("login");
                assertThat(header(record, EventEnvelope.TIME_HEADER)).isEqualTo("2026-11-30T06:55:24.250Z");
                assertThat(new String(record.value(), StandardCharsets.UTF_8)).isEqualTo("{\"device\":\"d1\"}");
            }
            assertThat(dashboard.status().accepted()).isEqualTo(20);
        }
    }

    @Test
    void shouldShowAlertsDeliveriesAndScoredEventsOfThePastAndAsTheyCome() throws Exception {
        KafkaConfig kafka = kafka("live");
        KafkaTopics.ensure(kafka);
        StatusBoard board = new StatusBoard();
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "test", Map.of());
                Dashboard dashboard = dashboard(kafka, board)) {
            publish(producer, kafka.topics().alerts(), "acc-1", Json.encode(alert("before", 1)));
            publish(producer, kafka.topics().scored(), "acc-1", Json.encode(scored(1)));
            producer.send(new ProducerRecord<>(
                            kafka.topics().scored(),
                            0,
                            null,
                            "acc-1".getBytes(StandardCharsets.UTF_8),
                            "{}".getBytes(StandardCharsets.UTF_8),
                            List.of(new org.apache.kafka.common.header.internals.RecordHeader(
                                    RecordKinds.HEADER, RecordKinds.SCHEMA.getBytes(StandardCharsets.UTF_8)))))
                    .get();
            start(dashboard);
            await().untilAsserted(() -> {
                assertThat(get(dashboard, "/api/v1/alerts").path("alerts")).hasSize(1);
                assertThat(get(dashboard, "/api/v1/scored/recent?account=acc-1").path("events"))
                        .as("without the schema record")
                        .hasSize(1);
            });

            publish(producer, kafka.topics().alerts(), "acc-1", "not an alert".getBytes(StandardCharsets.UTF_8));
            publish(producer, kafka.topics().alerts(), "acc-1", Json.encode(alert("after", 2)));
            publish(producer, kafka.topics().alerts(), "acc-1", Json.encode(alert("after", 2)));
            publish(producer, kafka.topics().deliveries(), "after", Json.encode(delivery("after")));
            await().untilAsserted(() -> assertThat(get(dashboard, "/api/v1/alerts/after")
                            .at("/delivery/state")
                            .asText())
                    .isEqualTo("delivered"));
            assertThat(get(dashboard, "/api/v1/alerts").path("alerts")).hasSize(2);
            assertThat(board.local()).extracting(s -> s.state()).containsExactly(ServiceState.RUNNING);
        }
    }

    @Test
    void shouldAnswer503WhileTheBrokerIsAwayAndStopCleanlyAllTheSame() throws Exception {
        KafkaConfig kafka;
        try (EmbeddedKafka other = EmbeddedKafka.start(directory.resolve("kafka-that-goes"))) {
            kafka = new KafkaConfig(
                    other.bootstrapServers(),
                    new dev.vigil.event.TopicNames("gone"),
                    1,
                    (short) 1,
                    (short) 1,
                    Duration.ofDays(1),
                    Map.of());
            Dashboard dashboard = dashboard(kafka, new StatusBoard());
            try (dashboard) {
                start(dashboard);
                assertThat(send(dashboard, "e1", "acc-1").statusCode()).isEqualTo(202);
                other.close();
                HttpResponse<String> answer = send(dashboard, "e2", "acc-1");
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.headers().firstValue("Retry-After")).contains("5");
                assertThat(get(dashboard, "/api/v1/info").path("name").asText()).isEqualTo("vigil");
            }
            assertThat(dashboard.status().state()).isEqualTo(ServiceState.STOPPED);
        }
    }

    @Test
    void shouldSayInOneLineThatThePortIsTaken() {
        try (Dashboard first = dashboard(kafka("port"), new StatusBoard())) {
            first.start();
            DashboardConfig config = DashboardConfig.local(first.port());
            try (Dashboard second = new Dashboard(
                    kafka("port"),
                    config,
                    new StatusBoard(),
                    null,
                    null,
                    null,
                    null,
                    FakePolicies.takingAll(),
                    System::currentTimeMillis,
                    new SimpleMeterRegistry())) {
                assertThatThrownBy(second::start)
                        .isInstanceOf(ServiceException.class)
                        .hasMessageContaining("the port is in use by another process; set dashboard.port");
                assertThat(second.status().state()).isEqualTo(ServiceState.FAILED);
            }
        }
    }

    private static void publish(KafkaProducer<byte[], byte[]> producer, String topic, String key, byte[] value)
            throws ExecutionException, InterruptedException {
        producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value))
                .get();
    }

    private static List<ConsumerRecord<byte[], byte[]>> readAll(KafkaConfig kafka, String topic) {
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(kafka, "test", Map.of())) {
            List<TopicPartition> partitions = List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            long end = consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
            await().until(() -> {
                consumer.poll(Duration.ofMillis(100)).forEach(records::add);
                return records.size() >= end;
            });
        }
        return records;
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }

    private static final SourcePosition POSITION = new SourcePosition("topic", 0, 1);

    private static Alert alert(String id, long ingestTimeMs) {
        return new Alert(
                id,
                "e-" + id,
                "/s",
                "tx",
                "acc-1",
                0,
                ingestTimeMs,
                POSITION,
                "p",
                1,
                "EUR",
                50,
                Decision.REVIEW,
                "acc-1",
                0,
                Map.of(),
                List.of());
    }

    private static Delivery delivery(String alertId) {
        return new Delivery(alertId, "acc-1", POSITION, 0, 2, "ops", 1, Delivery.Outcome.DELIVERED, 204, null, 10, 5);
    }

    private static ScoredEvent scored(long ingestTimeMs) {
        return new ScoredEvent(
                "e",
                "/s",
                "tx",
                "acc-1",
                0,
                ingestTimeMs,
                false,
                0,
                POSITION,
                "p",
                1,
                0,
                Decision.APPROVE,
                Map.of(),
                Map.of(),
                List.of(),
                List.of());
    }
}
