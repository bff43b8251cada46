package dev.vigil.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.demo.PlantedFindings.Alerts;
import dev.vigil.demo.PlantedFindings.Found;
import dev.vigil.demo.bank.Action;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.demo.bank.Delivery;
import dev.vigil.demo.bank.FraudLabel;
import dev.vigil.demo.bank.Incident;
import dev.vigil.demo.bank.Login;
import dev.vigil.demo.bank.Payment;
import dev.vigil.demo.bank.Scenario;
import dev.vigil.demo.bank.Timeliness;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.SourcePosition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlantedFraudTest {
    private static final long FIRST_PAYMENT = 5_000;
    private static final String LOGIN_PREFIX = "L1700-";
    private static final Payment TEMPLATE =
            Bank.of(new BankShape(1, 100)).history(Instant.ofEpochMilli(0), 1).get(0);

    private final PlantedFraud fraud = new PlantedFraud(FIRST_PAYMENT, LOGIN_PREFIX);

    @Test
    void shouldCountACaseAsCaughtByAnAlertForAnyOfItsEvents() {
        Incident takeover = new Incident(Scenario.ACCOUNT_TAKEOVER, 1, 3);
        happened(login(1, "A1", 10_000, takeover));
        happened(login(2, "A1", 12_000, takeover));
        happened(theft(5_001, "A1", 20_000, takeover));
        happened(theft(5_002, "A2", 21_000, new Incident(Scenario.SUDDEN_HIGH_AMOUNT, 2, 1)));

        fraud.alerted(paymentAlert(5_001, "A1", 20_000), 20_300);
        fraud.alerted(loginAlert(2, "A1", 12_000), 12_050);

        PlantedFindings findings = fraud.findings();
        assertThat(findings.incidents()).isEqualTo(2);
        assertThat(findings.caught()).isOne();
        assertThat(findings.unfinished()).isZero();
        assertThat(findings.firstAlertAfterMsMedian()).isEqualTo(2_050);
        assertThat(findings.scenarios())
                .containsExactly(
                        Map.entry("sudden-high-amount", new Found(1, 0, 0, 0, null)),
                        Map.entry("account-takeover", new Found(1, 1, 0, 0, 2_050L)));
        assertThat(findings.alerts()).isEqualTo(new Alerts(2, 0, 0, 0));
    }

    @Test
    void shouldCountACaseApartUntilAllOfItHasHappened() {
        Incident travel = new Incident(Scenario.IMPOSSIBLE_TRAVEL, 1, 2);
        happened(theft(5_001, "A1", 10_000, travel));
        fraud.alerted(paymentAlert(5_001, "A1", 10_000), 10_100);
        Action second = theft(5_002, "A1", 11_000, travel);
        fraud.expect(second);

        assertThat(fraud.findings().incidents()).isZero();
        assertThat(fraud.findings().caught()).isZero();
        assertThat(fraud.findings().unfinished()).isOne();
        assertThat(fraud.findings().unfinishedCaught()).isOne();
        assertThat(fraud.findings().firstAlertAfterMsMedian()).isNull();
        assertThat(fraud.findings().alerts().ofIncidents()).isOne();

        fraud.accepted(second);

        assertThat(fraud.findings().incidents()).isOne();
        assertThat(fraud.findings().caught()).isOne();
        assertThat(fraud.findings().unfinished()).isZero();
        assertThat(fraud.findings().unfinishedCaught()).isZero();
    }

    @Test
    void shouldTakeTheTimeFromTheThiefsFirstEventAndNotFromAnHonestOne() {
        Incident skimming = new Incident(Scenario.COMPROMISED_TERMINAL, 1, 2);
        happened(payment(5_001, "A1", 10_000, false, skimming));
        happened(payment(5_002, "A1", 50_000, true, skimming));
        fraud.alerted(paymentAlert(5_002, "A1", 50_000), 50_400);
        assertThat(fraud.findings().firstAlertAfterMsMedian()).isEqualTo(400);

        fraud.alerted(paymentAlert(5_001, "A1", 10_000), 10_400);
        assertThat(fraud.findings().firstAlertAfterMsMedian())
                .as("warned before the thief came")
                .isZero();
    }

    @Test
    void shouldTakeTheMiddleOfTheTimes() {
        caughtAfter(1, 900);
        caughtAfter(2, 100);
        assertThat(fraud.findings().firstAlertAfterMsMedian()).isEqualTo(500);
        caughtAfter(3, 300);
        assertThat(fraud.findings().firstAlertAfterMsMedian()).isEqualTo(300);
    }

    @Test
    void shouldTellFalseAlarmsFromAlertsOfVictimsAndFromThoseOfOthers() {
        happened(theft(5_001, "A1", 10_000, new Incident(Scenario.SUDDEN_HIGH_AMOUNT, 1, 1)));

        fraud.alerted(paymentAlert(5_002, "A2", 11_000), 0);
        fraud.alerted(paymentAlert(5_003, "A1", 9_999), 0);
        assertThat(fraud.findings().alerts())
                .as("on an account without fraud, or without fraud by then")
                .isEqualTo(new Alerts(0, 0, 2, 0));
        fraud.alerted(paymentAlert(5_004, "A1", 10_000), 0);
        assertThat(fraud.findings().alerts().besideIncidents()).isOne();
        fraud.alerted(paymentAlert(4_999, "A2", 11_000), 0);
        fraud.alerted(alert("L1600-1", LoginEvents.SOURCE, "A2", 11_000), 0);
        fraud.alerted(alert("5001", "/shop", "A1", 11_000), 0);
        assertThat(fraud.findings().alerts())
                .as("of an earlier run, or sent by others")
                .isEqualTo(new Alerts(0, 1, 2, 3));
        assertThat(fraud.findings().alerts().total()).isEqualTo(6);
    }

    @Test
    void shouldFindTheSameWhetherAlertsAreReadEarlyOrLate() {
        PlantedFraud late = new PlantedFraud(FIRST_PAYMENT, LOGIN_PREFIX);
        Action honest = theft(5_001, "A1", 9_000, null);
        Action theft = theft(5_002, "A1", 10_000, new Incident(Scenario.SUDDEN_HIGH_AMOUNT, 1, 1));

        fraud.expect(honest);
        fraud.alerted(paymentAlert(5_001, "A1", 9_000), 9_100);
        fraud.expect(theft);
        fraud.alerted(paymentAlert(5_002, "A1", 10_000), 10_100);
        fraud.accepted(theft);

        List.of(honest, theft).forEach(late::expect);
        List.of(honest, theft).forEach(late::accepted);
        late.alerted(paymentAlert(5_002, "A1", 10_000), 10_100);
        late.alerted(paymentAlert(5_001, "A1", 9_000), 9_100);

        assertThat(late.findings()).isEqualTo(fraud.findings());
        assertThat(late.findings().alerts()).isEqualTo(new Alerts(1, 0, 1, 0));
    }

    @Test
    void shouldNotTakeALabelForAnEventOfItsCase() {
        Incident incident = new Incident(Scenario.SUDDEN_HIGH_AMOUNT, 1, 2);
        happened(theft(5_001, "A1", 10_000, incident));
        happened(new FraudLabel(
                5_001, "A1", incident.scenario(), 60_000, new Delivery(60_000, Timeliness.ON_TIME, incident)));

        assertThat(fraud.findings().unfinished()).isOne();
        assertThat(fraud.findings().unfinishedCaught()).isZero();
        assertThat(fraud.findings().incidents()).isZero();
    }

    @Test
    void shouldKeepSumsOfCasesThatWereLongAgo() {
        PlantedFraud small = new PlantedFraud(FIRST_PAYMENT, LOGIN_PREFIX, 3);
        for (int n = 1; n <= 10; n++) {
            Action theft = theft(5_000 + n, "A" + n, n * 1_000, new Incident(Scenario.CARD_TESTING, n, 1));
            small.expect(theft);
            small.accepted(theft);
            if (n % 2 == 0) {
                small.alerted(paymentAlert(5_000 + n, "A" + n, n * 1_000), n * 1_000 + n);
            }
        }
        assertThat(small.findings().incidents()).isEqualTo(10);
        assertThat(small.findings().caught()).isEqualTo(5);
        assertThat(small.findings().firstAlertAfterMsMedian())
                .as("of the last three times")
                .isEqualTo(8);
        small.alerted(paymentAlert(5_001, "A1", 1_000), 99_000);
        assertThat(small.findings().alerts())
                .as("too late to be told from another one of the victim")
                .isEqualTo(new Alerts(5, 1, 0, 0));
        assertThat(small.findings().caught()).isEqualTo(5);
    }

    private void caughtAfter(long number, long ms) {
        long timeMs = number * 100_000;
        happened(theft(6_000 + number, "B" + number, timeMs, new Incident(Scenario.CARD_TESTING, number, 1)));
        fraud.alerted(paymentAlert(6_000 + number, "B" + number, timeMs), timeMs + ms);
    }

    private void happened(Action action) {
        fraud.expect(action);
        fraud.accepted(action);
    }

    private static Payment theft(long id, String account, long timeMs, Incident incident) {
        return payment(id, account, timeMs, true, incident);
    }

    private static Payment payment(long id, String account, long timeMs, boolean thiefs, Incident incident) {
        return new Payment(
                id,
                account,
                account + "-C1",
                TEMPLATE.terminal(),
                1_000,
                null,
                timeMs,
                thiefs,
                new Delivery(timeMs, Timeliness.ON_TIME, incident));
    }

    private static Login login(long number, String account, long timeMs, Incident incident) {
        return new Login(
                LOGIN_PREFIX + number,
                account,
                "X-1",
                "203.0.113.1",
                false,
                timeMs,
                new Delivery(timeMs, Timeliness.ON_TIME, incident));
    }

    private static Alert paymentAlert(long id, String account, long timeMs) {
        return alert(Long.toString(id), "/cdc/bank/public.transactions", account, timeMs);
    }

    private static Alert loginAlert(long number, String account, long timeMs) {
        return alert(LOGIN_PREFIX + number, LoginEvents.SOURCE, account, timeMs);
    }

    private static Alert alert(String id, String source, String account, long timeMs) {
        return new Alert(
                "alert-" + id,
                id,
                source,
                "transaction",
                account,
                EventTimes.fromEpochMs(timeMs),
                timeMs,
                new SourcePosition("log", 0, 1),
                "card-fraud",
                1,
                "EUR",
                90,
                Decision.DECLINE,
                account,
                0,
                Map.of(),
                List.of());
    }
}
