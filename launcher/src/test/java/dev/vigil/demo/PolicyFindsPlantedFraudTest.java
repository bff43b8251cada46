package dev.vigil.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.demo.bank.Incident;
import dev.vigil.demo.bank.Login;
import dev.vigil.demo.bank.Payment;
import dev.vigil.demo.bank.Scenario;
import dev.vigil.demo.bank.Timeliness;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.SourcePosition;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ten minutes of the demo's traffic, scored by the core with the demo's policy. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyFindsPlantedFraudTest {
    private static final Instant START = Instant.parse("2026-11-30T09:17:00Z");
    private static final double RATE = 40;

    private final Map<Scenario, Set<Incident>> planted = new EnumMap<>(Scenario.class);
    private final Map<Scenario, Set<Incident>> found = new EnumMap<>(Scenario.class);
    private final Map<Timeliness, Integer> byTimeliness = new EnumMap<>(Timeliness.class);
    private final PlantedFraud fraud = new PlantedFraud(1_000_000, "L" + START.toEpochMilli());
    private TaskState counts;
    private int events;
    private int alarms;
    private int falseAlarms;
    private long firstAlarmMs = Long.MAX_VALUE;

    @BeforeAll
    void play() throws IOException {
        Path file = Path.of(System.getProperty("vigil.repository"), "policies/card-fraud.yaml");
        Policy policy = Policies.check(file.getFileName().toString(), Files.readString(file));
        counts = new ScoredTraffic()
                .play(policy, BankShape.forRate(42, RATE), RATE, START, Duration.ofMinutes(10), this::delivered);
    }

    @Test
    void shouldFindNearlyEveryPlantedIncidentOfEveryScenario() {
        for (Scenario scenario : Scenario.values()) {
            Set<Incident> begun = planted.get(scenario);
            assertThat(found.getOrDefault(scenario, Set.of()))
                    .as("found of %d incidents of %s", begun.size(), scenario)
                    .hasSizeGreaterThanOrEqualTo((int) Math.floor(begun.size() * 0.9));
        }
    }

    @Test
    void shouldReportWhatWasFoundAsCountedHere() {
        PlantedFindings findings = fraud.findings();
        long begun = planted.values().stream().mapToLong(Set::size).sum();
        assertThat(findings.incidents() + findings.unfinished()).isEqualTo(begun);
        assertThat(findings.unfinished()).as("begun within the last minutes").isBetween(1L, begun / 10);
        assertThat(findings.caught()).isBetween((long) Math.floor(findings.incidents() * 0.9), findings.incidents());
        findings.scenarios()
                .forEach((code, scenario) -> assertThat(scenario.caught())
                        .as(code)
                        .isLessThanOrEqualTo(found.get(Scenario.valueOf(
                                        code.toUpperCase(Locale.ROOT).replace('-', '_')))
                                .size()));
        assertThat(findings.firstAlertAfterMsMedian()).isBetween(0L, 30_000L);
        assertThat(findings.alerts().total()).isEqualTo(alarms);
        assertThat(findings.alerts().ofIncidents()).isEqualTo(alarms - falseAlarms);
        assertThat(findings.alerts().ofOtherEvents()).isZero();
    }

    @Test
    void shouldAlertOnOneEventInAHundredOrSo() {
        assertThat(alarms / (double) events).as("share of events that alert").isBetween(0.005, 0.02);
        assertThat(falseAlarms / (double) events)
                .as("share of events that alert without fraud")
                .isLessThan(0.0025);
    }

    @Test
    void shouldAlertWithinTheFirstTwoSeconds() {
        assertThat(firstAlarmMs - START.toEpochMilli()).isLessThan(2_000);
    }

    @Test
    void shouldDropExactlyTheDuplicatesAndSetAsideExactlyTheTooLate() {
        assertThat(counts.count(TaskState.End.DUPLICATE)).isEqualTo((long) byTimeliness.get(Timeliness.DUPLICATE));
        assertThat(counts.count(TaskState.End.LATE)).isEqualTo((long) byTimeliness.get(Timeliness.TOO_LATE));
    }

    private void delivered(Action action, Optional<ScoredTraffic.Score> score) {
        if (action.delivery().dueMs() < START.toEpochMilli()) {
            return;
        }
        fraud.expect(action);
        fraud.accepted(action);
        byTimeliness.merge(action.delivery().timeliness(), 1, Integer::sum);
        action.delivery()
                .planted()
                .ifPresent(incident -> planted.computeIfAbsent(incident.scenario(), s -> new HashSet<>())
                        .add(incident));
        score.ifPresent(scored -> judged(action, scored.decision()));
    }

    private void judged(Action action, Decision decision) {
        events++;
        if (decision == Decision.APPROVE) {
            return;
        }
        alarms++;
        fraud.alerted(alert(action, decision), action.delivery().dueMs());
        firstAlarmMs = Math.min(firstAlarmMs, action.delivery().dueMs());
        action.delivery()
                .planted()
                .ifPresentOrElse(
                        incident -> found.computeIfAbsent(incident.scenario(), s -> new HashSet<>())
                                .add(incident),
                        () -> falseAlarms++);
    }

    private static Alert alert(Action action, Decision decision) {
        boolean payment = action instanceof Payment;
        long timeMs = payment ? ((Payment) action).eventTimeMs() : ((Login) action).eventTimeMs();
        String id = payment ? Long.toString(((Payment) action).id()) : ((Login) action).id();
        return new Alert(
                "alert-" + id,
                id,
                payment ? "/cdc/bank/public.transactions" : LoginEvents.SOURCE,
                payment ? "transaction" : LoginEvents.TYPE,
                action.accountId(),
                EventTimes.fromEpochMs(timeMs),
                action.delivery().dueMs(),
                new SourcePosition("topic", 0, 0),
                "card-fraud",
                1,
                "EUR",
                90,
                decision,
                action.accountId(),
                0,
                Map.of(),
                List.of());
    }
}
