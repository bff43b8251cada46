package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import dev.vigil.service.status.AlertingStatus.EndpointStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class DispatcherTest {
    private static final WebhookSecret SECRET = new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final EndpointConfig DESK = EndpointConfig.of("desk", "https://desk.example/hook", SECRET);
    private static final EndpointConfig AUDIT = EndpointConfig.of("audit", "https://audit.example/hook", SECRET);
    private static final Answer ACCEPTED = Answer.status(204, OptionalLong.empty(), 3);
    private static final Answer BROKEN = Answer.status(500, OptionalLong.empty(), 3);
    private static final Answer GONE = Answer.status(410, OptionalLong.empty(), 3);
    private static final long HOUR_MS = 3_600_000;

    private final FakeClock clock = new FakeClock(1_000_000);
    private final Outbox outbox = new InMemoryOutbox();
    private final FakeTransport transport = new FakeTransport();
    private final List<Long> latenciesMs = new ArrayList<>();
    private Dispatcher dispatcher = dispatcher(DESK, AUDIT);

    @Test
    void shouldSendAtOnceAndMeasureFromIngestToAcceptance() {
        put(TestAlerts.at(1).ingestedAt(clock.epochMs() - 7), "desk", "audit");

        dispatcher.doWork();
        clock.advanceMs(5);
        transport.answerAll(ACCEPTED);
        dispatcher.doWork();

        assertThat(transport.all()).hasSize(2);
        assertThat(transport.all().get(0).message().alertId())
                .isEqualTo(TestAlerts.at(1).id());
        assertThat(latenciesMs).containsExactly(12L, 12L);
        assertThat(outbox.counts().endpoint("desk")).isEqualTo(new OutboxCounts.EndpointCounts(1, 1, 0, 0, 0));
        assertThat(reports()).extracting(Delivery::outcome).containsOnly(Delivery.Outcome.DELIVERED);
    }

    @Test
    void shouldRepeatTheSameIdAndBodyWithTheNextAttemptNumber() {
        put(TestAlerts.at(1), "desk");
        dispatcher.doWork();
        transport.answerAll(BROKEN);

        assertThat(dispatcher.doWork()).isBetween(500L, 1_500L);
        assertThat(transport.all()).hasSize(1);
        clock.advanceMs(1_500);
        dispatcher.doWork();

        AlertMessage first = transport.all().get(0).message();
        AlertMessage second = transport.all().get(1).message();
        assertThat(second.alertId()).isEqualTo(first.alertId());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(second.attempt()).isEqualTo(2);
        assertThat(reports()).singleElement().satisfies(report -> {
            assertThat(report.outcome()).isEqualTo(Delivery.Outcome.FAILED);
            assertThat(report.statusCode()).isEqualTo(500);
            assertThat(report.detail()).isEqualTo("expected a 2xx answer, found 500");
            assertThat(report.attempt()).isEqualTo(1);
        });
    }

    @Test
    void shouldGiveUpAfterThreeDaysAndNotBefore() {
        put(TestAlerts.at(1), "desk");
        long startMs = clock.epochMs();
        while (outbox.counts().endpoint("desk").pending() > 0) {
            dispatcher.doWork();
            transport.answerAll(BROKEN);
            dispatcher.doWork();
            clock.advanceMs(HOUR_MS / 4);
        }

        Delivery last = reports().get(reports().size() - 1);
        assertThat(last.outcome()).isEqualTo(Delivery.Outcome.GIVEN_UP);
        assertThat(last.attempt()).isGreaterThan(20);
        assertThat(clock.epochMs() - startMs).isBetween(66 * HOUR_MS, 73 * HOUR_MS);
        assertThat(outbox.counts().endpoint("desk").givenUp()).isOne();
    }

    @Test
    void shouldKeepToEachEndpointsLimitAndNotLetOneDelayAnother() {
        dispatcher = dispatcher(DESK.withMaxInFlight(2), AUDIT.withMaxInFlight(3));
        LongStream.range(0, 10).forEach(offset -> put(TestAlerts.at(offset), "desk", "audit"));

        dispatcher.doWork();
        assertThat(transport.open("desk")).hasSize(2);
        assertThat(transport.open("audit")).hasSize(3);
        for (int round = 0; round < 10; round++) {
            transport.all().stream()
                    .filter(sent -> sent.endpoint().equals("audit"))
                    .skip(outbox.counts().endpoint("audit").delivered())
                    .toList()
                    .forEach(sent -> sent.answer(ACCEPTED));
            dispatcher.doWork();
        }

        assertThat(outbox.counts().endpoint("audit").delivered()).isEqualTo(10);
        assertThat(transport.open("desk")).hasSize(2);
        assertThat(dispatcher.inFlightCount()).isEqualTo(2);
    }

    @Test
    void shouldSendNothingTwiceWhileItIsUnderWay() {
        put(TestAlerts.at(1), "desk");
        dispatcher.doWork();
        dispatcher.doWork();
        dispatcher.doWork();

        assertThat(transport.all()).hasSize(1);
    }

    @Test
    void shouldLeaveAnEndpointAloneForAsLongAsItAsks() {
        put(TestAlerts.at(1), "desk");
        dispatcher.doWork();
        transport.answerAll(Answer.status(503, OptionalLong.of(60_000), 1));
        put(TestAlerts.at(2), "desk");

        assertThat(dispatcher.doWork()).isPositive();
        assertThat(status("desk").state()).isEqualTo("paused");
        clock.advanceMs(59_999);
        dispatcher.doWork();
        assertThat(transport.all()).hasSize(1);
        clock.advanceMs(1);
        dispatcher.doWork();

        assertThat(transport.all()).hasSize(3);
        assertThat(status("desk").state()).isEqualTo("active");
    }

    @Test
    void shouldNotWaitLongerThanTheLongestBackOffWhateverTheAnswerAsksFor() {
        put(TestAlerts.at(1), "desk");
        dispatcher.doWork();
        transport.answerAll(
                Answer.status(429, OptionalLong.of(Duration.ofDays(9_999).toMillis()), 1));
        dispatcher.doWork();
        clock.advanceMs(4 * HOUR_MS);
        dispatcher.doWork();

        assertThat(transport.all()).hasSize(2);
    }

    @Test
    void shouldDisableAnEndpointThatIsGoneAndGiveUpWhatIsPending() {
        LongStream.range(0, 40).forEach(offset -> put(TestAlerts.at(offset), "desk"));
        dispatcher.doWork();
        transport.answerAll(GONE);
        for (int pass = 0; pass < 10; pass++) {
            dispatcher.doWork();
        }

        assertThat(transport.all()).hasSize(16);
        assertThat(outbox.counts().endpoint("desk")).isEqualTo(new OutboxCounts.EndpointCounts(40, 0, 16, 40, 0));
        assertThat(status("desk").state()).isEqualTo("disabled");
        assertThat(reports()).extracting(Delivery::outcome).containsOnly(Delivery.Outcome.GIVEN_UP);
    }

    @Test
    void shouldStayDisabledAfterARestartUntilTheUrlChanges() {
        put(TestAlerts.at(1), "desk");
        dispatcher.doWork();
        transport.answerAll(GONE);
        dispatcher.doWork();

        dispatcher = dispatcher(DESK);
        assertThat(status("desk").state()).isEqualTo("disabled");
        dispatcher = dispatcher(EndpointConfig.of("desk", "https://desk.example/new-hook", SECRET));
        assertThat(status("desk").state()).isEqualTo("active");
        dispatcher = dispatcher(DESK);
        assertThat(status("desk").state()).isEqualTo("active");
    }

    @Test
    void shouldSendWhatWasUnderWayAgainAfterARestart() {
        put(TestAlerts.at(1), "desk");
        dispatcher.doWork();

        dispatcher = dispatcher(DESK, AUDIT);
        dispatcher.doWork();

        assertThat(transport.all()).hasSize(2);
        assertThat(new HashSet<>(transport.all().stream()
                        .map(sent -> sent.message().alertId())
                        .toList()))
                .isEqualTo(Set.of(TestAlerts.at(1).id()));
    }

    @Test
    void shouldShowDeliveriesLeftForAnEndpointThatIsNotConfiguredAnyMore() {
        put(TestAlerts.at(1), "audit");
        dispatcher = dispatcher(DESK);
        dispatcher.doWork();

        assertThat(transport.all()).isEmpty();
        assertThat(status("audit").state()).isEqualTo("not configured");
        assertThat(status("audit").pending()).isOne();
    }

    @Test
    void shouldTellTheLastProblemUntilASuccess() {
        put(TestAlerts.at(1), "desk");
        dispatcher.doWork();
        transport.answerAll(Answer.failure("no answer within the time-out", 15_000));
        dispatcher.doWork();
        assertThat(status("desk").lastProblem()).isEqualTo("no answer within the time-out");

        clock.advanceMs(1_500);
        dispatcher.doWork();
        transport.answerAll(ACCEPTED);
        dispatcher.doWork();
        assertThat(status("desk").lastProblem()).isNull();
    }

    @Test
    void shouldTryAnEndpointThatTakesNothingOnlyNowAndThen() {
        failInARow(CircuitBreaker.OPENS_AFTER);
        LongStream.range(100, 200).forEach(offset -> put(TestAlerts.at(offset), "desk", "audit"));
        int before = transport.all().size();

        for (int second = 0; second < 600; second++) {
            dispatcher.doWork();
            transport.answerAll("audit", ACCEPTED);
            transport.answerAll(BROKEN);
            clock.advanceMs(1_000);
        }

        assertThat(status("desk").state()).isEqualTo("failing");
        long attempts = transport.all().stream()
                .skip(before)
                .filter(sent -> sent.endpoint().equals("desk"))
                .count();
        assertThat(attempts).isBetween(10L, 30L);
        assertThat(outbox.counts().endpoint("audit").delivered()).isEqualTo(100);
    }

    @Test
    void shouldSendEverythingOnceTheEndpointTakesOneAgain() {
        failInARow(CircuitBreaker.OPENS_AFTER);
        LongStream.range(100, 200).forEach(offset -> put(TestAlerts.at(offset), "desk"));
        clock.advanceMs(60 * 60_000);
        dispatcher.doWork();
        assertThat(transport.open("desk")).hasSize(1);

        while (outbox.counts().endpoint("desk").pending() > 0) {
            transport.answerAll(ACCEPTED);
            dispatcher.doWork();
        }

        assertThat(status("desk").state()).isEqualTo("active");
        assertThat(outbox.counts().endpoint("desk").delivered()).isEqualTo(100 + CircuitBreaker.OPENS_AFTER);
    }

    @Test
    void shouldNotTakeAnEndpointForDeadThatFailsNowAndThen() {
        for (int offset = 0; offset < 10 * CircuitBreaker.OPENS_AFTER; offset++) {
            put(TestAlerts.at(offset), "desk");
            dispatcher.doWork();
            transport.answerAll(offset % 10 == 0 ? ACCEPTED : BROKEN);
            dispatcher.doWork();

            assertThat(status("desk").state()).isEqualTo("active");
        }
    }

    @Test
    void shouldGiveUpWhatWaitsForADeadEndpointForLongerThanAlertsAreKept() {
        failInARow(CircuitBreaker.OPENS_AFTER);
        put(TestAlerts.at(100), "desk");
        while (outbox.counts().endpoint("desk").pending() > 0) {
            dispatcher.doWork();
            transport.answerAll(BROKEN);
            clock.advanceMs(HOUR_MS / 4);
        }

        assertThat(outbox.counts().endpoint("desk").givenUp()).isEqualTo(1 + CircuitBreaker.OPENS_AFTER);
    }

    @Test
    void shouldBeginNoMoreAttemptsPerSecondThanTheEndpointAllows() {
        dispatcher = dispatcher(DESK.withMaxPerSecond(5).withMaxInFlight(1_000));
        LongStream.range(0, 100).forEach(offset -> put(TestAlerts.at(offset), "desk"));

        dispatcher.doWork();
        assertThat(transport.all()).hasSize(5);
        int before = 0;
        for (int second = 0; second < 10; second++) {
            before = transport.all().size();
            for (int step = 0; step < 10; step++) {
                clock.advanceMs(100);
                assertThat(dispatcher.doWork()).isBetween(1L, 200L);
            }
            assertThat(transport.all().size() - before).isEqualTo(5);
        }
    }

    private void failInARow(int times) {
        LongStream.range(0, times).forEach(offset -> put(TestAlerts.at(offset), "desk"));
        dispatcher.doWork();
        transport.answerAll(BROKEN);
        dispatcher.doWork();
    }

    private Dispatcher dispatcher(EndpointConfig... endpoints) {
        return new Dispatcher(
                outbox,
                transport,
                AlertingConfig.of(endpoints),
                clock,
                new SplittableRandom(7),
                latenciesMs::add,
                new WakeUp());
    }

    private void put(TestAlerts alert, String... endpoints) {
        outbox.accept(
                new BatchBuilder().alert(alert, clock.epochMs(), endpoints).build());
    }

    private List<Delivery> reports() {
        return outbox.unpublished(0, 10_000).stream()
                .map(record -> Json.decode(record.outgoing().value(), Delivery.class))
                .toList();
    }

    private EndpointStatus status(String endpoint) {
        return dispatcher.endpoints().stream()
                .filter(status -> status.name().equals(endpoint))
                .findFirst()
                .orElseThrow();
    }
}
