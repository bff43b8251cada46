package dev.vigil.alerting.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.ApiEndpointsConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.EndpointKey;
import dev.vigil.alerting.RetryConfig;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.EndpointWithSecret;
import dev.vigil.service.EpochClock;
import dev.vigil.service.kafka.KafkaClients;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What tests of endpoints made by the API share: a broker, a topic of their own, a receiver, services on one directory. */
@Timeout(240)
abstract class EndpointsRig {
    static final EndpointKey KEY = new EndpointKey("k1", new byte[32]);
    static final RetryConfig QUICK = new RetryConfig(Duration.ofMillis(20), Duration.ofMillis(200), Duration.ofDays(3));
    static final Clock SYSTEM = Clock.systemUTC();

    @TempDir
    static Path brokerDirectory;

    static EmbeddedKafka broker;

    @TempDir
    Path directory;

    final AtomicLong aheadMs = new AtomicLong();
    final EpochClock clock = () -> SYSTEM.millis() + aheadMs.get();
    final List<AutoCloseable> open = new ArrayList<>();
    final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    AlertsTopic topic;
    CapturingReceiver receiver;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start(brokerDirectory);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void openTopicAndReceiver(TestInfo test) throws Exception {
        topic = opened(new AlertsTopic(
                broker.bootstrapServers(), test.getTestMethod().orElseThrow().getName()));
        receiver = opened(new CapturingReceiver());
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    Alerting made() {
        Alerting alerting = start();
        alerting.endpoints().create(hook("desk"), null);
        return alerting;
    }

    ObjectNode hook(String name) {
        return Json.mapper().createObjectNode().put("name", name).put("url", receiver.url());
    }

    static String secret(EndpointWithSecret made) {
        return java.util.Objects.requireNonNull(made.secret());
    }

    static void refuses(Kind kind, String words, Runnable question) {
        assertThatThrownBy(question::run)
                .isInstanceOfSatisfying(
                        EndpointRefusedException.class,
                        refusal -> assertThat(refusal.kind()).isEqualTo(kind))
                .hasMessageContaining(words);
    }

    Alerting start(EndpointConfig... configured) {
        return started(
                new AlertingConfig(List.of(configured), QUICK, AlertingConfig.TAKE_OVER_AFTER, false, limits(KEY)));
    }

    static ApiEndpointsConfig limits(EndpointKey... keys) {
        return new ApiEndpointsConfig(List.of(keys), Set.of("127.0.0.1"), Map.of());
    }

    Alerting started(AlertingConfig config) {
        Alerting alerting = service(config);
        alerting.start();
        eventually(() -> !alerting.status().standingBy());
        return alerting;
    }

    Alerting service(AlertingConfig config) {
        return opened(new Alerting(topic.kafka(), config, directory, clock, meters));
    }

    static void closeNow(Alerting alerting) {
        alerting.close();
    }

    String register() {
        StringBuilder text = new StringBuilder();
        TopicPartition partition = new TopicPartition(topic.kafka().topics().endpoints(), 0);
        try (KafkaConsumer<byte[], byte[]> consumer = KafkaClients.consumer(topic.kafka(), "test-register", Map.of())) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = consumer.endOffsets(List.of(partition)).get(partition);
            while (consumer.position(partition) < end) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
                    text.append(new String(record.key(), UTF_8)).append(new String(record.value(), UTF_8));
                }
            }
        }
        return text.toString();
    }

    static void eventually(BooleanSupplier condition) {
        await().atMost(Duration.ofSeconds(60)).until(condition::getAsBoolean);
    }

    <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }
}
