package dev.vigil.alerting;

import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.RuleHit;
import dev.vigil.event.SourcePosition;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Alerts of the policy card-fraud, one per offset of the log. */
public record TestAlerts(
        int partition,
        long offset,
        String account,
        String time,
        Duration cooldown,
        Decision decision,
        long ingestTimeMs) {
    public static final String LOG_ID = "log-topic-id";
    public static final String ALERTS_ID = "alerts-topic-id";
    public static final String ACTIONS_ID = "actions-topic-id";

    public static TestAlerts at(long offset) {
        return new TestAlerts(0, offset, "acc-" + offset, "2026-03-01T12:00:00Z", Duration.ZERO, Decision.DECLINE, 0);
    }

    public TestAlerts inPartition(int newPartition) {
        return new TestAlerts(newPartition, offset, account, time, cooldown, decision, ingestTimeMs);
    }

    public TestAlerts of(String newAccount) {
        return new TestAlerts(partition, offset, newAccount, time, cooldown, decision, ingestTimeMs);
    }

    public TestAlerts eventTime(String newTime) {
        return new TestAlerts(partition, offset, account, newTime, cooldown, decision, ingestTimeMs);
    }

    public TestAlerts coolingFor(Duration newCooldown) {
        return new TestAlerts(partition, offset, account, time, newCooldown, decision, ingestTimeMs);
    }

    public TestAlerts decided(Decision newDecision) {
        return new TestAlerts(partition, offset, account, time, cooldown, newDecision, ingestTimeMs);
    }

    public TestAlerts ingestedAt(long newIngestTimeMs) {
        return new TestAlerts(partition, offset, account, time, cooldown, decision, newIngestTimeMs);
    }

    public String id() {
        return "alert-" + partition + "-" + offset;
    }

    public Alert alert() {
        return alert("many payments, unusually high");
    }

    public Alert alert(String reason) {
        return new Alert(
                id(),
                "tx-" + offset,
                "postgres/transactions",
                "transaction",
                account,
                EventTimes.parse(time),
                ingestTimeMs,
                new SourcePosition(LOG_ID, partition, offset),
                "card-fraud",
                3,
                "EUR",
                85,
                decision,
                account,
                cooldown.toMillis(),
                Map.of("amount", 1250),
                List.of(new RuleHit("velocity", 35, reason, Map.of("tx_count_1h", 7))));
    }

    /** As {@link #alert()}, by another name. */
    public Alert alertWithId(String id) {
        String json = new String(json(), java.nio.charset.StandardCharsets.UTF_8);
        return Json.decode(
                json.replace('"' + id() + '"', '"' + id + '"').getBytes(java.nio.charset.StandardCharsets.UTF_8),
                Alert.class);
    }

    public byte[] json() {
        return Json.encode(alert());
    }

    /** As it stands in the alerts topic, at the same offset as in the log. */
    public IntakeRecord record() {
        return new IntakeRecord(
                IntakeRecord.Kind.ALERT,
                partition,
                offset,
                0,
                account.getBytes(java.nio.charset.StandardCharsets.UTF_8),
                json(),
                Map.of());
    }
}
