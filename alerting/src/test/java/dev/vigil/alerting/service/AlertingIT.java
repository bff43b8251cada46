package dev.vigil.alerting.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.vigil.alerting.AlertFilter;
import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.RetryConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.receiver.ReceivedAlert;
import dev.vigil.alerting.receiver.ReceiverAnswer;
import dev.vigil.alerting.receiver.WebhookReceiver;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.Decision;
import dev.vigil.event.Delivery;
import dev.vigil.service.EpochClock;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole service between a real broker and real sockets. */
@Timeout(240)
final class AlertingIT {
    private static final AlertFilter DECLINES_ONLY =
            new AlertFilter(Set.of(Decision.DECLINE), Set.of(), 0, null, "amount");

    private static final String SECRET_TEXT = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final WebhookSecret SECRET = new WebhookSecret(SECRET_TEXT);
    private static final EpochClock CLOCK = Clock.systemUTC()::millis;
    private static final RetryConfig QUICK =
            new RetryConfig(Duration.ofMillis(20), Duration.ofSeconds(5), Duration.ofDays(3));

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
        String prefix = test.getTestMethod().orElseThrow().getName();
        topic = opened(new AlertsTopic(broker.bootstrapServers(), prefix));
        receiver = receiver();
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void shouldDeliverEachAlertOnceAndReportIt() throws Exception {
        Alerting alerting = start(receiverEndpoint());
        TestAlerts suppressing = cooling(11, "12:00:00");
        TestAlerts suppressed = cooling(12, "12:05:00");
        topic.put(TestAlerts.at(5), TestAlerts.at(10), TestAlerts.at(3).inPartition(1));
        topic.put(TestAlerts.at(5), TestAlerts.at(10), suppressing, suppressed, TestAlerts.at(13));

        eventually(() -> receiver.counts().accepted() == 5 && topic.deliveries().size() == 6);

        assertThat(receivedIds())
                .containsExactlyInAnyOrder("alert-0-5", "alert-0-10", "alert-0-11", "alert-0-13", "alert-1-3");
        assertThat(receiver.counts().repeatedAlerts()).isZero();
        assertThat(receiver.counts().rejected()).isZero();
        AlertingStatus status = alerting.status();
        assertThat(status.state()).isEqualTo(ServiceState.RUNNING);
        assertThat(status.alerts()).isEqualTo(6);
        assertThat(status.suppressed()).isOne();
        assertThat(status.delivered()).isEqualTo(5);
        assertThat(status.failedAttempts()).isZero();
        assertThat(status.pending()).isZero();
        assertThat(status.latency().count()).isEqualTo(5);
        assertThat(topic.deliveries())
                .filteredOn(delivery -> delivery.outcome() == Delivery.Outcome.SUPPRESSED)
                .singleElement()
                .satisfies(delivery -> {
                    assertThat(delivery.alertId()).isEqualTo(suppressed.id());
                    assertThat(delivery.detail()).startsWith("cooldown: after alert " + suppressing.id() + ", case ");
                });
    }

    @Test
    void shouldTellWhatBecameOfEachAlertOfEndpointsThatWantDifferentOnes() throws Exception {
        EndpointConfig declines = receiverEndpoint().withFilter(DECLINES_ONLY);
        EndpointConfig alsoDeclines =
                EndpointConfig.ofPrivate("second", receiver.url(), SECRET).withFilter(DECLINES_ONLY);
        Alerting alerting = start(declines, alsoDeclines);
        topic.put(
                TestAlerts.at(1),
                TestAlerts.at(2).decided(Decision.REVIEW),
                cooling(3, "12:00:00"),
                cooling(4, "12:05:00"),
                TestAlerts.at(5).decided(Decision.REVIEW));

        eventually(() -> alerting.status().alerts() == 5 && alerting.status().delivered() == 4);

        AlertingStatus status = alerting.status();
        assertThat(status.unrouted()).isEqualTo(2);
        assertThat(status.suppressed()).isOne();
        assertThat(status.pending()).isZero();
        assertThat(receivedIds()).containsExactlyInAnyOrder("alert-0-1", "alert-0-3");
    }

    @Test
    void shouldTryAgainUntilTheReceiverAccepts() throws Exception {
        AtomicInteger failures = new AtomicInteger(2);
        receiver.answerWith(
                alert -> failures.getAndDecrement() > 0 ? ReceiverAnswer.status(500) : ReceiverAnswer.ACCEPT);
        Alerting alerting = start(receiverEndpoint());
        topic.put(TestAlerts.at(1));

        eventually(() -> receiver.counts().accepted() == 1 && topic.deliveries().size() == 3);

        assertThat(receiver.lastAlerts()).extracting(ReceivedAlert::attempt).containsExactly(3);
        assertThat(alerting.status().failedAttempts()).isEqualTo(2);
        assertThat(topic.deliveries())
                .extracting(Delivery::attempt, Delivery::outcome, Delivery::statusCode)
                .containsExactly(
                        tuple(1, Delivery.Outcome.FAILED, 500),
                        tuple(2, Delivery.Outcome.FAILED, 500),
                        tuple(3, Delivery.Outcome.DELIVERED, 204));
    }

    @Test
    void shouldWaitAsLongAsTheReceiverAsks() throws Exception {
        AtomicInteger failures = new AtomicInteger(1);
        receiver.answerWith(alert -> failures.getAndDecrement() > 0
                ? ReceiverAnswer.status(503).withHeader("Retry-After", "1")
                : ReceiverAnswer.ACCEPT);
        start(receiverEndpoint());
        topic.put(TestAlerts.at(1));

        eventually(() -> topic.deliveries().size() == 2);

        List<Delivery> deliveries = topic.deliveries();
        assertThat(deliveries.get(1).attemptedAtMs() - deliveries.get(0).attemptedAtMs())
                .isGreaterThanOrEqualTo(1_000);
    }

    @Test
    void shouldSendNothingMoreToAnEndpointThatIsGone() throws Exception {
        receiver.answerWith(alert -> ReceiverAnswer.status(410));
        Alerting alerting = start(receiverEndpoint());
        topic.put(TestAlerts.at(1));
        eventually(() -> alerting.status().givenUp() == 1);
        topic.put(TestAlerts.at(2));
        eventually(() -> alerting.status().givenUp() == 2);
        alerting.close();

        Alerting again = start(receiverEndpoint());
        topic.put(TestAlerts.at(3));
        eventually(() -> again.status().givenUp() == 3);

        assertThat(receiver.counts().refused()).isOne();
        assertThat(again.status().endpoints().get(0).state()).isEqualTo("disabled");
    }

    @Test
    void shouldNotLetASlowEndpointDelayAnother() throws Exception {
        WebhookReceiver slow = receiver();
        CountDownLatch release = new CountDownLatch(1);
        slow.answerWith(alert -> {
            awaitRelease(release);
            return ReceiverAnswer.ACCEPT;
        });
        EndpointConfig slowEndpoint =
                EndpointConfig.ofPrivate("slow", slow.url(), SECRET).withMaxInFlight(2);
        Alerting alerting = start(receiverEndpoint(), slowEndpoint);
        for (int offset = 0; offset < 200; offset++) {
            topic.put(TestAlerts.at(offset));
        }

        eventually(() -> receiver.counts().accepted() == 200);

        assertThat(slow.counts().accepted()).isZero();
        assertThat(alerting.status().pending()).isEqualTo(200);
        release.countDown();
    }

    private static void awaitRelease(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldSendWhatIsPendingAfterARestartAndNothingTwice() throws Exception {
        receiver.answerWith(alert -> ReceiverAnswer.status(500));
        Alerting alerting = start(receiverEndpoint());
        topic.put(TestAlerts.at(1), TestAlerts.at(2), TestAlerts.at(3));
        eventually(() -> alerting.status().failedAttempts() >= 3);
        alerting.close();

        receiver.answerWith(alert -> ReceiverAnswer.ACCEPT);
        topic.put(TestAlerts.at(4));
        Alerting again = start(receiverEndpoint());
        eventually(() -> again.status().delivered() == 4);

        assertThat(receiver.counts().distinctAlerts()).isEqualTo(4);
        assertThat(receiver.counts().repeatedAlerts()).isZero();
        assertThat(again.status().alerts()).isEqualTo(4);
    }

    @Test
    void shouldSendWhatIsPendingAfterAKill() throws Exception {
        receiver.answerWith(
                alert -> alert.position().offset() % 2 == 0 ? ReceiverAnswer.ACCEPT : ReceiverAnswer.status(500));
        Path outbox = directory.resolve("data");
        Process process = AlertingProcess.start(topic.kafka(), outbox, receiver.url(), SECRET_TEXT);
        try {
            for (int offset = 0; offset < 100; offset++) {
                topic.put(TestAlerts.at(offset));
            }
            eventually(() -> receiver.counts().accepted() > 20);
        } finally {
            process.destroyForcibly().waitFor();
        }

        receiver.answerWith(alert -> ReceiverAnswer.ACCEPT);
        Alerting again = opened(new Alerting(
                topic.kafka(),
                AlertingProcess.config(receiver.url(), SECRET_TEXT),
                outbox,
                CLOCK,
                new SimpleMeterRegistry()));
        again.start();
        eventually(() -> again.status().delivered() == 100);

        assertThat(again.status().alerts()).isEqualTo(100);
        assertThat(receiver.counts().distinctAlerts()).isEqualTo(100);
        assertThat(receiver.counts().repeatedAlerts()).isLessThanOrEqualTo(16);
    }

    @Test
    void shouldSetAsideWhatIsNoAlertAndGoOn() throws Exception {
        Alerting alerting = start(receiverEndpoint());
        topic.put(0, "{\"broken".getBytes(UTF_8));
        topic.put(TestAlerts.at(1));

        eventually(() -> receiver.counts().accepted() == 1
                && topic.records(topic.kafka().topics().deadLetters()).size() == 1);

        assertThat(alerting.status().alerts()).isOne();
        assertThat(topic.records(topic.kafka().topics().deadLetters()).get(0).value())
                .isEqualTo("{\"broken".getBytes(UTF_8));
    }

    @Test
    void shouldStopLoudlyWhenTheTopicNoLongerReachesBack() throws Exception {
        Alerting alerting = start(receiverEndpoint());
        topic.put(TestAlerts.at(1));
        eventually(() -> alerting.status().delivered() == 1);
        alerting.close();
        topic.put(TestAlerts.at(2), TestAlerts.at(3), TestAlerts.at(4));
        TopicPartition partition = new TopicPartition(topic.kafka().topics().alerts(), 0);
        try (Admin admin = KafkaClients.admin(topic.kafka(), "test-retention")) {
            admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(3)))
                    .all()
                    .get();
        }

        Alerting refusing =
                service(new AlertingConfig(List.of(receiverEndpoint()), QUICK, AlertingConfig.TAKE_OVER_AFTER, false));
        assertThatThrownBy(refusing::start)
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("the outbox stands at offset 1, the topic holds 3 to 4")
                .hasMessageContaining("alerting.accept-gap");
        assertThat(refusing.status().state()).isEqualTo(ServiceState.FAILED);
        refusing.close();

        Alerting accepting =
                service(new AlertingConfig(List.of(receiverEndpoint()), QUICK, AlertingConfig.TAKE_OVER_AFTER, true));
        accepting.start();
        eventually(() -> accepting.status().delivered() == 2);
        assertThat(receivedIds()).containsExactlyInAnyOrder("alert-0-1", "alert-0-4");
    }

    private static TestAlerts cooling(long offset, String time) {
        return TestAlerts.at(offset)
                .of("acc")
                .eventTime("2026-03-01T" + time + "Z")
                .coolingFor(Duration.ofMinutes(15));
    }

    private EndpointConfig receiverEndpoint() {
        return EndpointConfig.ofPrivate("receiver", receiver.url(), SECRET);
    }

    private Alerting start(EndpointConfig... endpoints) {
        Alerting alerting =
                service(new AlertingConfig(List.of(endpoints), QUICK, AlertingConfig.TAKE_OVER_AFTER, false));
        alerting.start();
        return alerting;
    }

    private Alerting service(AlertingConfig config) {
        return opened(new Alerting(topic.kafka(), config, directory, CLOCK, new SimpleMeterRegistry()));
    }

    private WebhookReceiver receiver() {
        return opened(WebhookReceiver.start(0, SECRET, CLOCK, alert -> {}));
    }

    private Set<String> receivedIds() {
        return Set.copyOf(receiver.lastAlerts().stream()
                .map(received -> received.alert().alertId())
                .toList());
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
