package dev.vigil.alerting.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.RetryConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.receiver.ReceiverAnswer;
import dev.vigil.alerting.receiver.WebhookReceiver;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.service.EpochClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several instances of the service, each with a disk of its own, of which one delivers. */
@Timeout(240)
final class TakeOverIT {
    private static final WebhookSecret SECRET = new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final EpochClock CLOCK = Clock.systemUTC()::millis;

    @TempDir
    private static Path brokerDirectory;

    private static EmbeddedKafka broker;

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();
    private AlertsTopic topic;
    private WebhookReceiver receiver;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start(brokerDirectory);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void openTopicAndReceiver(TestInfo test) {
        topic = opened(new AlertsTopic(
                broker.bootstrapServers(), test.getTestMethod().orElseThrow().getName()));
        receiver = opened(WebhookReceiver.start(0, SECRET, CLOCK, alert -> {}));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void shouldLetOneInstanceDeliverAndAnotherGoOnWhenItStops() throws Exception {
        Alerting first = start("first");
        eventually(() -> !first.status().standingBy());
        Alerting second = start("second");
        put(0, 50);
        eventually(() -> receiver.counts().accepted() == 50);
        assertThat(second.status().standingBy()).isTrue();
        assertThat(second.status().alerts()).isZero();

        first.close();
        put(50, 100);
        eventually(() -> second.status().delivered() == 100);

        assertThat(second.status().standingBy()).isFalse();
        assertThat(receiver.counts().distinctAlerts()).isEqualTo(100);
        assertThat(receiver.counts().repeatedAlerts()).isZero();
    }

    @Test
    void shouldNotSendAgainWhatWasDeliveredBeforeTheDiskWasLost() throws Exception {
        Alerting before = start("lost");
        put(0, 300);
        eventually(() -> before.status().delivered() == 300);
        before.close();

        put(300, 310);
        Alerting after = start("new");
        eventually(() -> after.status().delivered() == 310);

        assertThat(after.status().pending()).isZero();
        assertThat(receiver.counts().distinctAlerts()).isEqualTo(310);
        assertThat(receiver.counts().repeatedAlerts()).isZero();
    }

    @Test
    void shouldNotSendWhatAnotherDeliveredWhileItWasAway() throws Exception {
        receiver.answerWith(alert -> ReceiverAnswer.status(500));
        Alerting away = start("away");
        put(0, 20);
        eventually(() -> away.status().failedAttempts() >= 5);
        away.close();
        receiver.answerWith(alert -> ReceiverAnswer.ACCEPT);
        Alerting other = start("other");
        put(20, 40);
        eventually(() -> other.status().delivered() == 40);
        other.close();

        put(40, 50);
        Alerting back = start("away");
        eventually(() -> back.status().delivered() == 50);

        assertThat(back.status().pending()).isZero();
        assertThat(receiver.counts().distinctAlerts()).isEqualTo(50);
        assertThat(receiver.counts().repeatedAlerts()).isZero();
    }

    private void put(int from, int end) throws Exception {
        for (int offset = from; offset < end; offset++) {
            topic.put(TestAlerts.at(offset));
        }
    }

    private Alerting start(String name) {
        RetryConfig retry = new RetryConfig(Duration.ofMillis(50), Duration.ofMillis(200), Duration.ofDays(3));
        Alerting alerting = opened(new Alerting(
                topic.kafka(),
                new AlertingConfig(
                        List.of(EndpointConfig.ofPrivate("receiver", receiver.url(), SECRET)),
                        retry,
                        Duration.ofSeconds(6),
                        false),
                directory.resolve(name),
                CLOCK,
                new SimpleMeterRegistry()));
        alerting.start();
        return alerting;
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.add(resource);
        return resource;
    }

    private static void eventually(BooleanSupplier condition) {
        await().atMost(Duration.ofSeconds(120))
                .pollInterval(Duration.ofMillis(50))
                .until(condition::getAsBoolean);
    }
}
