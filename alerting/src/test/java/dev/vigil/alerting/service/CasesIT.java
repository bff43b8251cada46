package dev.vigil.alerting.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.receiver.ReceivedAlert;
import dev.vigil.alerting.receiver.WebhookReceiver;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.event.Delivery;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.CaseState;
import dev.vigil.event.cases.Disposition;
import dev.vigil.service.EpochClock;
import dev.vigil.service.kafka.KafkaClients;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Cases between a real broker and a real receiver. */
@Timeout(240)
final class CasesIT {
    private static final String SECRET_TEXT = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final WebhookSecret SECRET = new WebhookSecret(SECRET_TEXT);
    private static final EpochClock CLOCK = Clock.systemUTC()::millis;
    private static final long ACTED_AT_MS = EventTimes.parse("2026-03-01T13:00:00Z") / 1_000;

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
        receiver = opened(WebhookReceiver.start(0, SECRET, CLOCK, alert -> {}));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void shouldLabelTheEventsOfACaseThatIsClosedAsFraud() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        Alerting alerting = start(registry);
        TestAlerts sent = cooling(1, "12:00:00");
        TestAlerts suppressed = cooling(2, "12:05:00");
        topic.put(sent, suppressed);
        eventually(() -> topic.deliveries().size() == 2);
        String caseId = receivedCaseId(sent);

        topic.put(action("ack-1", caseId, CaseAction.Kind.ACKNOWLEDGE, null, null), 0);
        eventually(() -> find(alerting, caseId).state() == CaseState.ACKNOWLEDGED);
        CaseAction close = action("close-1", caseId, CaseAction.Kind.CLOSE, Disposition.FRAUD, null);
        topic.put(close, 0);
        topic.put(close, 0);
        eventually(() -> labels().size() == 2 && count(registry, "repeated") == 1);

        assertThat(labels())
                .extracting(CasesIT::attributes)
                .containsOnly(tuple(EventTypes.LABEL, "/vigil/cases", "acc"));
        assertThat(labels())
                .allSatisfy(label -> assertThat(new String(label.key(), UTF_8)).isEqualTo("acc"));
        assertThat(labels())
                .extracting(label -> Json.decodeObject(label.value()))
                .containsExactlyInAnyOrder(fraud("tx-1"), fraud("tx-2"));
        assertThat(topic.deliveries())
                .extracting(Delivery::alertId, Delivery::outcome)
                .containsExactlyInAnyOrder(
                        tuple(sent.id(), Delivery.Outcome.DELIVERED),
                        tuple(suppressed.id(), Delivery.Outcome.SUPPRESSED));
        assertThat(topic.deliveries())
                .filteredOn(delivery -> delivery.alertId().equals(suppressed.id()))
                .extracting(Delivery::detail)
                .containsExactly("cooldown: after alert " + sent.id() + ", case " + caseId);
        AlertCase closed = find(alerting, caseId);
        assertThat(closed.state()).isEqualTo(CaseState.CLOSED);
        assertThat(closed.disposition()).isEqualTo(Disposition.FRAUD);
        assertThat(closed.suppressed()).containsOnly(entry("cooldown", 1L));
        assertThat(closed.history())
                .extracting(AlertCase.CaseEntry::by, AlertCase.CaseEntry::done)
                .containsExactly(tuple("vigil", "opened"), tuple("ann", "acknowledge"), tuple("ann", "close"));
        assertThat(alerting.cases()
                        .list(new CaseFilter(true, null, null, null, null, 10))
                        .cases())
                .isEmpty();
    }

    @Test
    void shouldOpenAnotherCaseAfterOneWasClosed() throws Exception {
        Alerting alerting = start();
        topic.put(alert(1, "12:00:00"));
        eventually(() -> receiver.counts().accepted() == 1);
        String first = receivedCaseId(alert(1, "12:00:00"));
        topic.put(action("close-1", first, CaseAction.Kind.CLOSE, Disposition.LEGITIMATE, null), 0);
        eventually(() -> find(alerting, first).state() == CaseState.CLOSED);

        topic.put(alert(2, "12:01:00"));
        eventually(() -> receiver.counts().accepted() == 2);

        assertThat(receivedCaseId(alert(2, "12:01:00"))).isNotEqualTo(first);
        assertThat(find(alerting, first).alertCount()).isOne();
    }

    @Test
    void shouldKeepASnoozeThroughAKillAndARestart() throws Exception {
        Path data = directory.resolve("data");
        Process process = AlertingProcess.start(topic.kafka(), data, receiver.url(), SECRET_TEXT);
        String caseId;
        try {
            topic.put(alert(1, "12:00:00"));
            eventually(() -> receiver.counts().accepted() == 1);
            caseId = receivedCaseId(alert(1, "12:00:00"));
            topic.put(action("snooze-1", caseId, CaseAction.Kind.SNOOZE, null, "2026-03-01T15:00:00Z"), 0);
            int offset = 2;
            while (suppressions().isEmpty()) {
                // One that is read before the snooze is sent.
                topic.put(alert(offset++, "13:00:00"));
                Thread.sleep(200);
            }
        } finally {
            process.destroyForcibly().waitFor();
        }

        Alerting restarted = start();
        topic.put(alert(1_000, "14:59:59"));
        topic.put(alert(1_001, "15:00:00"));
        eventually(() ->
                receivedIds().contains("alert-0-1001") && restarted.status().pending() == 0);
        eventually(() -> suppressions().containsKey("alert-0-1000"));

        assertThat(suppressions().get("alert-0-1000"))
                .isEqualTo("snooze: until 2026-03-01T15:00:00Z by ann, case " + caseId);
        assertThat(receivedIds()).doesNotContain("alert-0-1000");
        assertThat(restarted.status().snoozed()).isEqualTo(restarted.status().suppressed());
        AlertCase snoozed = find(restarted, caseId);
        assertThat(Objects.requireNonNull(snoozed.snooze()).by()).isEqualTo("ann");
        assertThat(snoozed.history())
                .filteredOn(line -> line.done().equals("snooze"))
                .hasSize(1);
    }

    @Test
    void shouldKeepActionsWithoutALimitOfTime() throws Exception {
        start();
        ConfigResource actions = new ConfigResource(
                ConfigResource.Type.TOPIC, topic.kafka().topics().caseActions());
        try (Admin admin = KafkaClients.admin(topic.kafka(), "test-retention")) {
            String retention = admin.describeConfigs(List.of(actions))
                    .all()
                    .get()
                    .get(actions)
                    .get(TopicConfig.RETENTION_MS_CONFIG)
                    .value();
            assertThat(retention).isEqualTo("-1");
        }
    }

    @Test
    void shouldSetAsideWhatIsNoActionAndCountOnesOnCasesThatThereAreNot() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        start(registry);
        topic.put(action("ack-1", "no-such-case", CaseAction.Kind.ACKNOWLEDGE, null, null), 0);
        topic.putAction("{\"action_id\": 7".getBytes(UTF_8), 0);

        String deadLetters = topic.kafka().topics().deadLetters();
        eventually(() -> topic.records(deadLetters).size() == 1 && count(registry, "caseless") == 1);

        assertThat(topic.records(deadLetters).get(0).value()).isEqualTo("{\"action_id\": 7".getBytes(UTF_8));
    }

    private static TestAlerts alert(long offset, String time) {
        return TestAlerts.at(offset).of("acc").eventTime("2026-03-01T" + time + "Z");
    }

    private static TestAlerts cooling(long offset, String time) {
        return alert(offset, time).coolingFor(Duration.ofMinutes(15));
    }

    private static CaseAction action(
            String id, String caseId, CaseAction.Kind kind, @Nullable Disposition disposition, @Nullable String until) {
        Long untilUs = until == null ? null : EventTimes.parse(until);
        return new CaseAction(id, caseId, "acc", kind, "ann", ACTED_AT_MS, null, null, disposition, untilUs, null);
    }

    private static Map<String, Object> fraud(String eventId) {
        return Map.of("event_source", "postgres/transactions", "event_id", eventId, "label", "fraud", "value", true);
    }

    private static double count(SimpleMeterRegistry registry, String end) {
        return registry.get("vigil.alerting.case.actions." + end)
                .functionCounter()
                .count();
    }

    private List<ConsumerRecord<byte[], byte[]>> labels() {
        return topic.records(topic.kafka().topics().events());
    }

    private static Tuple attributes(ConsumerRecord<byte[], byte[]> record) {
        return tuple(
                header(record, EventEnvelope.TYPE_HEADER),
                header(record, EventEnvelope.SOURCE_HEADER),
                header(record, EventEnvelope.SUBJECT_HEADER));
    }

    private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
        return new String(record.headers().lastHeader(name).value(), UTF_8);
    }

    /** Why, by alert. */
    private Map<String, String> suppressions() {
        return topic.deliveries().stream()
                .filter(delivery -> delivery.outcome() == Delivery.Outcome.SUPPRESSED)
                .collect(Collectors.toMap(
                        Delivery::alertId, delivery -> String.valueOf(delivery.detail()), (one, again) -> one));
    }

    private String receivedCaseId(TestAlerts alert) {
        return receiver.lastAlerts().stream()
                .filter(received -> received.alert().alertId().equals(alert.id()))
                .map(ReceivedAlert::caseId)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
    }

    private List<String> receivedIds() {
        return receiver.lastAlerts().stream()
                .map(received -> received.alert().alertId())
                .toList();
    }

    private static AlertCase find(Alerting alerting, String caseId) {
        return alerting.cases().find(caseId).orElseThrow();
    }

    private Alerting start() {
        return start(new SimpleMeterRegistry());
    }

    private Alerting start(SimpleMeterRegistry registry) {
        AlertingConfig config = AlertingConfig.of(EndpointConfig.ofPrivate("receiver", receiver.url(), SECRET));
        Alerting alerting = opened(new Alerting(topic.kafka(), config, directory.resolve("data"), CLOCK, registry));
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
