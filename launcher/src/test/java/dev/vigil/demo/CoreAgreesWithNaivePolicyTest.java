package dev.vigil.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vigil.demo.bank.Account;
import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.demo.bank.Login;
import dev.vigil.demo.bank.Payment;
import dev.vigil.scoring.Policies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The scoring core against a brute-force reading of the same policy, on the demo's traffic with all its disorder. */
class CoreAgreesWithNaivePolicyTest {
    private static final Instant START = Instant.parse("2026-11-30T09:17:00Z");
    private static final BankShape SHAPE = new BankShape(3, 200);

    private final Map<String, List<NaivePolicy.Event>> known = new HashMap<>();
    private final Map<String, Map<String, Object>> profiles = new HashMap<>();
    private int compared;

    @Test
    void shouldGiveTheSameFeaturesAndScoresForEveryEvent() throws IOException {
        Path file = Path.of(System.getProperty("vigil.repository"), "policies/card-fraud.yaml");
        NaivePolicy naive = new NaivePolicy(file);
        for (Account account : Bank.of(SHAPE).accounts()) {
            profiles.put(
                    account.id(),
                    Map.of(
                            "home_country",
                            account.home().country(),
                            "credit_limit",
                            account.creditLimitMinor() / 100.0));
        }
        new ScoredTraffic()
                .play(
                        Policies.check(file.getFileName().toString(), Files.readString(file)),
                        SHAPE,
                        8,
                        START,
                        Duration.ofMinutes(15),
                        (action, score) -> compare(naive, action, score));
        assertThat(compared).isGreaterThan(7_500);
    }

    private void compare(NaivePolicy naive, Action action, Optional<ScoredTraffic.Score> score) {
        if (score.isEmpty()) {
            return;
        }
        List<NaivePolicy.Event> events = known.computeIfAbsent(action.accountId(), id -> new ArrayList<>());
        events.add(event(action));
        NaivePolicy.Verdict verdict = naive.judge(events, profiles.get(action.accountId()));
        Map<String, Object> features = score.get().features();
        assertThat(features.keySet())
                .as("features of %s", action)
                .isEqualTo(verdict.features().keySet());
        verdict.features().forEach((name, expected) -> {
            if (expected instanceof Double number) {
                assertThat((Double) features.get(name))
                        .as("%s of %s", name, action)
                        .isCloseTo(number, within(1e-6 * Math.max(1, Math.abs(number))));
            } else {
                assertThat(features.get(name)).as("%s of %s", name, action).isEqualTo(expected);
            }
        });
        assertThat(score.get().score())
                .as("score of %s, naive rules %s", action, verdict.rules())
                .isEqualTo(verdict.score());
        compared++;
    }

    private static NaivePolicy.Event event(Action action) {
        if (action instanceof Login login) {
            return new NaivePolicy.Event(
                    "login",
                    login.eventTimeMs(),
                    Map.of("device", login.device(), "ip", login.ip(), "success", login.success()));
        }
        Payment payment = (Payment) action;
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
        return new NaivePolicy.Event("transaction", payment.eventTimeMs(), fields);
    }
}
