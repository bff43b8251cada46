package dev.vigil.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.demo.bank.Incident;
import dev.vigil.demo.bank.Login;
import dev.vigil.demo.bank.Payment;
import dev.vigil.demo.bank.Scenario;
import dev.vigil.demo.bank.Timeliness;
import dev.vigil.demo.bank.TrafficStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Ten minutes of the demo's traffic, judged event by event as the policy file says. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyFindsPlantedFraudTest {
    private static final Instant START = Instant.parse("2026-11-30T09:17:00Z");
    private static final double RATE = 40;

    private final Map<String, List<NaivePolicy.Event>> known = new HashMap<>();
    private final Map<Scenario, Set<Incident>> planted = new EnumMap<>(Scenario.class);
    private final Map<Scenario, Set<Incident>> found = new EnumMap<>(Scenario.class);
    private final Map<String, Integer> falseAlarmsByRule = new TreeMap<>();
    private int events;
    private int alarms;
    private int falseAlarms;
    private long firstAlarmMs = Long.MAX_VALUE;

    @BeforeAll
    void play() throws IOException {
        NaivePolicy policy =
                new NaivePolicy(Path.of(System.getProperty("vigil.repository"), "policies/card-fraud.yaml"));
        Bank bank = Bank.of(BankShape.forRate(42, RATE));
        Map<String, Map<String, Object>> accounts = new HashMap<>();
        bank.accounts()
                .forEach(account -> accounts.put(
                        account.id(),
                        Map.of(
                                "home_country",
                                account.home().country(),
                                "credit_limit",
                                account.creditLimitMinor() / 100.0)));
        bank.history(START, BankDatabase.PAST_PAYMENTS_PER_ACCOUNT).forEach(this::remember);
        TrafficStream stream = new TrafficStream(bank, RATE, START, 100_000);
        long endMs = START.plus(Duration.ofMinutes(10)).toEpochMilli();
        for (Action action = stream.next(); action.delivery().dueMs() < endMs; action = stream.next()) {
            if (remember(action)) {
                List<NaivePolicy.Event> history = known.get(action.accountId());
                judge(action, policy.judge(history, accounts.get(action.accountId())), policy.reviewScore());
            }
        }
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
    void shouldAlertOnOneEventInAHundredOrSo() {
        assertThat(alarms / (double) events).as("share of events that alert").isBetween(0.005, 0.02);
        assertThat(falseAlarms / (double) events)
                .as("share of events that alert without fraud, by rule: %s", falseAlarmsByRule)
                .isLessThan(0.0025);
    }

    @Test
    void shouldAlertWithinTheFirstTwoSeconds() {
        assertThat(firstAlarmMs - START.toEpochMilli()).isLessThan(2_000);
    }

    private boolean remember(Action action) {
        if (action.delivery().timeliness() == Timeliness.TOO_LATE
                || action.delivery().timeliness() == Timeliness.DUPLICATE) {
            return false;
        }
        if (action instanceof Payment payment) {
            known(action).add(new NaivePolicy.Event("transaction", payment.eventTimeMs(), fields(payment)));
            return true;
        }
        if (action instanceof Login login) {
            Map<String, Object> fields = Map.of("device", login.device(), "ip", login.ip(), "success", login.success());
            known(action).add(new NaivePolicy.Event("login", login.eventTimeMs(), fields));
            return true;
        }
        return false;
    }

    private List<NaivePolicy.Event> known(Action action) {
        return known.computeIfAbsent(action.accountId(), id -> new ArrayList<>());
    }

    private static Map<String, Object> fields(Payment payment) {
        Map<String, Object> fields = new HashMap<>();
        fields.put("amount", payment.amountMinor() / 100.0);
        fields.put("merchant", payment.merchant().id());
        fields.put("terminal", payment.terminal().id());
        fields.put("category", payment.merchant().category().code());
        fields.put("country", payment.country());
        payment.madeFrom().ifPresent(device -> fields.put("device", device));
        payment.terminal().standsAt().ifPresent(place -> {
            fields.put("lat", place.latitude());
            fields.put("lon", place.longitude());
        });
        return fields;
    }

    private void judge(Action action, NaivePolicy.Verdict verdict, int reviewScore) {
        events++;
        action.delivery()
                .planted()
                .ifPresent(incident -> planted.computeIfAbsent(incident.scenario(), s -> new HashSet<>())
                        .add(incident));
        if (verdict.score() < reviewScore) {
            return;
        }
        alarms++;
        firstAlarmMs = Math.min(firstAlarmMs, action.delivery().dueMs());
        action.delivery()
                .planted()
                .ifPresentOrElse(
                        incident -> found.computeIfAbsent(incident.scenario(), s -> new HashSet<>())
                                .add(incident),
                        () -> {
                            falseAlarms++;
                            verdict.rules().forEach(rule -> falseAlarmsByRule.merge(rule, 1, Integer::sum));
                        });
    }
}
