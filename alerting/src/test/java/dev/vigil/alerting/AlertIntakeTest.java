package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.alerting.cases.SuppressionConfig;
import dev.vigil.event.Decision;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AlertIntakeTest {
    private static final WebhookSecret SECRET = new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final EndpointConfig DESK = EndpointConfig.of("risk-desk", "https://example.com/hook", SECRET);
    private static final EndpointConfig DECLINES = EndpointConfig.of("declines", "https://example.com/hook", SECRET)
            .withFilter(new AlertFilter(Set.of(Decision.DECLINE), Set.of(), 0, null, "amount"));
    private static final Duration COOLDOWN = Duration.ofMinutes(15);

    private final Outbox outbox = new InMemoryOutbox();

    @Test
    void shouldRouteAnAlertToTheEndpointsThatWantIt() {
        IntakeBatch batch =
                take(List.of(DESK, DECLINES), TestAlerts.at(1), TestAlerts.at(2).decided(Decision.REVIEW));

        assertThat(batch.alerts())
                .extracting(IntakeBatch.RoutedAlert::endpoints)
                .containsExactly(List.of("risk-desk", "declines"), List.of("risk-desk"));
        assertThat(batch.alerts().get(0).json()).isEqualTo(TestAlerts.at(1).json());
        assertThat(five(batch.counts())).containsExactly(2L, 0L, 0L, 0L, 0L);
    }

    @Test
    void shouldMovePositionsWithTheBatch() {
        IntakeBatch batch = take(
                List.of(DESK),
                TestAlerts.at(4),
                TestAlerts.at(9),
                TestAlerts.at(2).inPartition(1));

        assertThat(batch.nextOffsets())
                .containsOnly(
                        Map.entry(new LogPartition(TestAlerts.ALERTS_ID, 0), 10L),
                        Map.entry(new LogPartition(TestAlerts.ALERTS_ID, 1), 3L));
        assertThat(batch.passedOffsets())
                .containsOnly(
                        Map.entry(new LogPartition(TestAlerts.LOG_ID, 0), 9L),
                        Map.entry(new LogPartition(TestAlerts.LOG_ID, 1), 2L));
    }

    @Test
    void shouldDropAlertsThatItHasPassedInTheBatchAndInEarlierOnes() {
        accept(take(List.of(DESK), TestAlerts.at(4), TestAlerts.at(9)));

        IntakeBatch again =
                take(List.of(DESK), TestAlerts.at(4), TestAlerts.at(9), TestAlerts.at(11), TestAlerts.at(11));

        assertThat(again.alerts()).hasSize(1);
        assertThat(five(again.counts())).containsExactly(1L, 0L, 0L, 3L, 0L);
        assertThat(again.passedOffsets()).containsValue(11L);
    }

    @Test
    void shouldNotTakeAnotherTopicsOffsetsForPassedOnes() {
        accept(take(List.of(DESK), TestAlerts.at(9)));
        String recreated = new String(TestAlerts.at(3).json(), StandardCharsets.UTF_8)
                .replace(TestAlerts.LOG_ID, "recreated-log-id");

        IntakeBatch batch = intake(List.of(DESK)).take(List.of(record(10, recreated)), 0);

        assertThat(batch.counts().alerts()).isOne();
    }

    @Test
    void shouldSuppressWithinTheCooldownAndSayByWhich() {
        TestAlerts first = cooling(1, "12:00:00");
        TestAlerts second = cooling(2, "12:10:00");
        TestAlerts third = cooling(3, "12:15:00");
        TestAlerts fourth = cooling(4, "12:20:00");

        accept(take(List.of(DESK), first, second));
        IntakeBatch later = take(List.of(DESK), third, fourth);

        assertThat(five(outbox.counts().intake())).containsExactly(2L, 1L, 0L, 0L, 0L);
        assertThat(five(later.counts())).containsExactly(2L, 1L, 0L, 0L, 0L);
        assertThat(suppressions(later)).singleElement().satisfies(delivery -> {
            assertThat(delivery.alertId()).isEqualTo(fourth.id());
            assertThat(delivery.detail()).matches("cooldown: after alert " + third.id() + ", case [0-9a-f]{24}");
            assertThat(delivery.outcome()).isEqualTo(Delivery.Outcome.SUPPRESSED);
            assertThat(delivery.attempt()).isZero();
            assertThat(delivery.endpoint()).isNull();
        });
    }

    @Test
    void shouldNotLetAnOlderAlertMoveTheMarkBack() {
        accept(take(List.of(DESK), cooling(1, "12:00:00")));

        IntakeBatch batch = take(List.of(DESK), cooling(2, "11:30:00"), cooling(3, "12:05:00"));

        assertThat(batch.alerts()).hasSize(1);
        assertThat(batch.counts().suppressed()).isOne();
    }

    @Test
    void shouldCoolDownPoliciesAndGroupsApart() {
        IntakeBatch batch = take(
                List.of(DESK), cooling(1, "12:00:00"), cooling(2, "12:01:00").of("another account"));

        assertThat(batch.counts().suppressed()).isZero();
    }

    @Test
    void shouldNotSuppressAfterAnAlertThatNobodyWasSent() {
        IntakeBatch batch =
                take(List.of(DECLINES), cooling(1, "12:00:00").decided(Decision.REVIEW), cooling(2, "12:01:00"));

        assertThat(batch.alerts()).hasSize(1);
        assertThat(five(batch.counts())).containsExactly(2L, 0L, 1L, 0L, 0L);
    }

    @Test
    void shouldSetAsideWhatIsNoAlertWithoutQuotingIt() {
        IntakeBatch batch = intake(List.of(DESK))
                .take(List.of(record(1, "{\"card\": 4111111111111111"), record(2, "{}"), record(3, "null")), 0);

        assertThat(five(batch.counts())).containsExactly(0L, 0L, 0L, 0L, 3L);
        assertThat(batch.nextOffsets()).containsValue(4L);
        assertThat(batch.outgoing()).allSatisfy(outgoing -> {
            assertThat(outgoing.destination()).isEqualTo(OutgoingRecord.Destination.DEAD_LETTERS);
            assertThat(new String(outgoing.headers().get("vigil-reason"), StandardCharsets.UTF_8))
                    .isEqualTo("malformed_json");
            assertThat(new String(outgoing.headers().get("vigil-detail"), StandardCharsets.UTF_8))
                    .contains("offset")
                    .doesNotContain("4111");
            assertThat(outgoing.headers()).containsKey("original");
        });
    }

    private static TestAlerts cooling(long offset, String time) {
        return TestAlerts.at(offset)
                .of("acc")
                .eventTime("2026-03-01T" + time + "Z")
                .coolingFor(COOLDOWN);
    }

    private static IntakeRecord record(long offset, String json) {
        return new IntakeRecord(
                IntakeRecord.Kind.ALERT,
                0,
                offset,
                0,
                null,
                json.getBytes(StandardCharsets.UTF_8),
                Map.of("original", new byte[] {1}));
    }

    private IntakeBatch take(List<EndpointConfig> endpoints, TestAlerts... alerts) {
        List<IntakeRecord> records = new ArrayList<>();
        for (TestAlerts alert : alerts) {
            records.add(alert.record());
        }
        return intake(endpoints).take(records, 0);
    }

    private AlertIntake intake(List<EndpointConfig> endpoints) {
        return new AlertIntake(
                outbox, () -> endpoints, SuppressionConfig.defaults(), TestAlerts.ALERTS_ID, TestAlerts.ACTIONS_ID);
    }

    /** Alerts, suppressed, unrouted, duplicates, dead-lettered. */
    private static List<Long> five(IntakeBatch.Counts counts) {
        return List.of(
                counts.alerts(), counts.suppressed(), counts.unrouted(), counts.duplicates(), counts.deadLettered());
    }

    private void accept(IntakeBatch batch) {
        outbox.accept(batch);
    }

    private static List<Delivery> suppressions(IntakeBatch batch) {
        return batch.outgoing().stream()
                .map(outgoing -> Json.decode(outgoing.value(), Delivery.class))
                .toList();
    }
}
