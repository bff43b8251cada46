package dev.vigil.demo.bank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class TrafficStreamTest {
    private static final Instant START = Instant.parse("2026-11-30T09:17:00Z");
    private static final double RATE = 100;
    private static final BankShape SHAPE = BankShape.forRate(42, RATE);

    @Test
    void shouldPlayTheSameStreamForTheSameSeed() {
        assertThat(play(SHAPE, Duration.ofMinutes(1))).isEqualTo(play(SHAPE, Duration.ofMinutes(1)));
    }

    @Test
    void shouldPlayAnotherStreamForAnotherSeedOrAnotherFirstId() {
        Bank bank = Bank.of(SHAPE);
        List<Action> stream = take(new TrafficStream(bank, RATE, START, 1), Duration.ofSeconds(10));
        List<Action> continued = take(new TrafficStream(bank, RATE, START, 1_000), Duration.ofSeconds(10));
        assertThat(accounts(continued)).isNotEqualTo(accounts(stream));
        assertThat(accounts(play(new BankShape(43, SHAPE.accounts()), Duration.ofSeconds(10))))
                .isNotEqualTo(accounts(stream));
    }

    @Test
    void shouldDeliverInOrderWithRisingPaymentIdsAndNothingBeforeItHappened() {
        long dueMs = START.toEpochMilli();
        long id = 0;
        for (Action action : play(SHAPE, Duration.ofMinutes(3))) {
            assertThat(action.delivery().dueMs()).isGreaterThanOrEqualTo(dueMs);
            dueMs = action.delivery().dueMs();
            if (action instanceof Payment payment) {
                assertThat(payment.id()).isEqualTo(++id);
                assertThat(payment.eventTimeMs()).isLessThanOrEqualTo(dueMs);
            }
        }
    }

    @Test
    void shouldPlantEachScenarioWithinSecondsAndThenAsOftenAsPromised() {
        Duration tenMinutes = Duration.ofMinutes(10);
        List<Action> stream = play(SHAPE, tenMinutes);
        Map<Scenario, Set<Long>> incidents = new EnumMap<>(Scenario.class);
        Map<Scenario, Long> firstMs = new EnumMap<>(Scenario.class);
        for (Action action : stream) {
            action.delivery().planted().ifPresent(incident -> {
                incidents
                        .computeIfAbsent(incident.scenario(), s -> new HashSet<>())
                        .add(incident.number());
                firstMs.putIfAbsent(incident.scenario(), action.delivery().dueMs() - START.toEpochMilli());
            });
        }
        assertThat(firstMs.get(Scenario.SUDDEN_HIGH_AMOUNT)).isBetween(0L, 2_000L);
        assertThat(firstMs.values()).hasSize(5).allMatch(ms -> ms < 16_000);
        double expectedEach = RATE * tenMinutes.toSeconds() / TrafficStream.EVENTS_PER_INCIDENT / 5;
        incidents.forEach((scenario, numbers) -> assertThat((double) numbers.size())
                .as("incidents of %s in ten minutes", scenario)
                .isCloseTo(expectedEach, within(expectedEach * 0.15)));
    }

    @Test
    void shouldSayOfEachIncidentHowManyEventsItHas() {
        Map<Incident, Integer> events = new HashMap<>();
        Map<Incident, Long> lastMs = new HashMap<>();
        for (Action action : play(SHAPE, Duration.ofMinutes(5))) {
            if (!(action instanceof FraudLabel)) {
                action.delivery().planted().ifPresent(incident -> {
                    events.merge(incident, 1, Integer::sum);
                    lastMs.put(incident, action.delivery().dueMs());
                });
            }
        }
        long overMs = START.plus(Duration.ofMinutes(4)).toEpochMilli();
        assertThat(lastMs.values()).filteredOn(ms -> ms < overMs).hasSizeGreaterThan(40);
        events.forEach((incident, count) -> {
            assertThat(count).as("events of %s", incident).isLessThanOrEqualTo(incident.events());
            if (lastMs.get(incident) < overMs) {
                assertThat(count).as("events of %s", incident).isEqualTo(incident.events());
            }
        });
    }

    @Test
    void shouldKeepTheRateAndTheSharesOfDisorder() {
        Map<Timeliness, Long> byTimeliness = new EnumMap<>(Timeliness.class);
        long ordinary = 0;
        long logins = 0;
        for (Action action : play(SHAPE, Duration.ofMinutes(10))) {
            if (action.delivery().planted().isEmpty()) {
                ordinary++;
                logins += action instanceof Login ? 1 : 0;
                byTimeliness.merge(action.delivery().timeliness(), 1L, Long::sum);
            }
        }
        assertThat(ordinary / 600.0).isCloseTo(RATE, within(RATE * 0.03));
        assertThat(logins / (double) ordinary).isCloseTo(Background.LOGIN_SHARE, within(0.03));
        assertThat(byTimeliness.get(Timeliness.TOO_LATE) * (double) Background.TOO_LATE_EVERY)
                .isCloseTo(600 * RATE, within(600 * RATE * 0.03));
        assertThat(byTimeliness.get(Timeliness.OUT_OF_ORDER) / (double) ordinary)
                .isCloseTo(Background.SHORTLY_LATE_SHARE + Background.LONG_LATE_SHARE, within(0.005));
        assertThat(byTimeliness.get(Timeliness.DUPLICATE) / (double) logins)
                .isCloseTo(Background.DUPLICATE_SHARE, within(0.006));
    }

    @Test
    void shouldDeliverTooLateEventsMoreThanAnHourLateAndAllOthersWithinMinutes() {
        for (Action action : play(SHAPE, Duration.ofMinutes(3))) {
            if (action instanceof FraudLabel) {
                continue;
            }
            long eventTimeMs =
                    action instanceof Payment payment ? payment.eventTimeMs() : ((Login) action).eventTimeMs();
            long lateMs = action.delivery().dueMs() - eventTimeMs;
            if (action.delivery().timeliness() == Timeliness.TOO_LATE) {
                assertThat(lateMs).isGreaterThanOrEqualTo(TrafficStream.TOO_LATE_MIN.toMillis());
            } else {
                assertThat(lateMs).isLessThanOrEqualTo(Duration.ofMinutes(4).toMillis());
            }
        }
    }

    @Test
    void shouldRepeatADuplicateLoginWithTheSameIdAndContent() {
        Map<String, Login> byId = new HashMap<>();
        int duplicates = 0;
        for (Action action : play(SHAPE, Duration.ofMinutes(3))) {
            if (action instanceof Login login) {
                Login before = byId.put(login.id(), login);
                if (login.delivery().timeliness() == Timeliness.DUPLICATE) {
                    duplicates++;
                    assertThat(before).isNotNull();
                    assertThat(login.deliveredAs(before.delivery())).isEqualTo(before);
                } else {
                    assertThat(before).as("an id used twice: %s", login.id()).isNull();
                }
            }
        }
        assertThat(duplicates).isPositive();
    }

    @Test
    void shouldLabelEveryFraudulentPaymentLaterAndNoOther() {
        Map<Long, Long> fraudDueMs = new HashMap<>();
        Set<Long> labelled = new HashSet<>();
        long endMs = START.plus(Duration.ofMinutes(5)).toEpochMilli();
        for (Action action : play(SHAPE, Duration.ofMinutes(5))) {
            if (action instanceof Payment payment && payment.fraud()) {
                fraudDueMs.put(payment.id(), action.delivery().dueMs());
            } else if (action instanceof FraudLabel label) {
                assertThat(fraudDueMs).containsKey(label.paymentId());
                assertThat(action.delivery().dueMs()).isGreaterThan(fraudDueMs.get(label.paymentId()));
                assertThat(labelled.add(label.paymentId())).isTrue();
            }
        }
        fraudDueMs.values().removeIf(dueMs -> dueMs > endMs - 120_000);
        assertThat(labelled).containsAll(fraudDueMs.keySet());
    }

    @Test
    void shouldNotLetHonestPaymentsLookFasterThanAnAeroplane() {
        Bank bank = Bank.of(new BankShape(7, 100));
        Map<String, List<Payment>> byAccount = new HashMap<>();
        TrafficStream stream = new TrafficStream(bank, 0.05, START, 1);
        long endMs = START.plus(Duration.ofDays(20)).toEpochMilli();
        for (Action action = stream.next(); action.delivery().dueMs() < endMs; action = stream.next()) {
            if (action instanceof Payment payment
                    && payment.delivery().planted().isEmpty()
                    && payment.terminal().standsAt().isPresent()) {
                byAccount
                        .computeIfAbsent(payment.accountId(), id -> new ArrayList<>())
                        .add(payment);
            }
        }
        int abroad = 0;
        for (List<Payment> payments : byAccount.values()) {
            payments.sort((a, b) -> Long.compare(a.eventTimeMs(), b.eventTimeMs()));
            for (int i = 1; i < payments.size(); i++) {
                Payment a = payments.get(i - 1);
                Payment b = payments.get(i);
                double km = a.terminal()
                        .standsAt()
                        .orElseThrow()
                        .kilometresTo(b.terminal().standsAt().orElseThrow());
                double hours = (b.eventTimeMs() - a.eventTimeMs()) / 3_600_000.0;
                assertThat(km).as("from %s to %s", a, b).isLessThanOrEqualTo(700 * hours);
                abroad += km > 100 ? 1 : 0;
            }
        }
        assertThat(abroad).as("trips seen").isGreaterThan(10);
    }

    @Test
    void shouldFollowTheHoursOfTheDay() {
        Bank bank = Bank.of(new BankShape(7, 1_000));
        Map<String, Town> homes = bank.accounts().stream().collect(Collectors.toMap(Account::id, Account::home));
        long night = 0;
        long day = 0;
        for (Payment payment : bank.history(START, 20)) {
            int hour = homes.get(payment.accountId()).localHour(payment.eventTimeMs());
            night += hour >= 1 && hour < 5 ? 1 : 0;
            day += hour >= 11 && hour < 15 ? 1 : 0;
        }
        assertThat(day).isGreaterThan(10 * night);
    }

    private static List<String> accounts(List<Action> actions) {
        return actions.stream().map(Action::accountId).toList();
    }

    private static List<Action> play(BankShape shape, Duration duration) {
        return take(new TrafficStream(Bank.of(shape), RATE, START, 1), duration);
    }

    private static List<Action> take(TrafficStream stream, Duration duration) {
        List<Action> actions = new ArrayList<>();
        long endMs = START.plus(duration).toEpochMilli();
        for (Action action = stream.next(); action.delivery().dueMs() < endMs; action = stream.next()) {
            actions.add(action);
        }
        return actions;
    }
}
