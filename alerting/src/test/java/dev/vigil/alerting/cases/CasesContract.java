package dev.vigil.alerting.cases;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.alerting.AlertFilter;
import dev.vigil.alerting.AlertIntake;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.IntakeBatch;
import dev.vigil.alerting.IntakeRecord;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutgoingRecord;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import dev.vigil.event.cases.CaseAction;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Decisions, cases and counts as {@link NaiveCases} has them, however records are cut into batches and wherever it is restarted. */
public abstract class CasesContract {
    private static final int LEAST_SCORE = 50;
    private static final SuppressionConfig SUPPRESSION = new SuppressionConfig(
            Duration.ofDays(2),
            Duration.ofDays(6),
            new SuppressionConfig.Escalation(10, BigDecimal.valueOf(2), "amount"),
            Set.of("noise", "hum"));
    private static final List<EndpointConfig> ENDPOINTS = List.of(EndpointConfig.of(
                    "desk", "https://example.com/hook", new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
            .withFilter(new AlertFilter(EnumSet.allOf(Decision.class), Set.of(), LEAST_SCORE, null, "amount")));

    /** An empty one. */
    protected abstract Outbox create();

    /** As after a restart of the process. */
    protected abstract Outbox restarted(Outbox outbox);

    protected abstract List<Long> seedsWithRestarts();

    @Test
    void shouldDecideAsTheOracleWhateverTheBatches() {
        Set<String> ends = new TreeSet<>();
        for (long seed = 1; seed <= 60; seed++) {
            ends.addAll(run(seed, false, 300));
        }
        assertThat(ends)
                .as("nothing of it was left out")
                .containsExactly(
                        "actions",
                        "caseless",
                        "cooldown",
                        "escalated",
                        "expired",
                        "opened",
                        "quiet",
                        "refused",
                        "repeated",
                        "sent",
                        "snooze",
                        "unrouted");
    }

    @Test
    void shouldDecideAsTheOracleWithARestartAfterEveryRecord() {
        for (long seed : seedsWithRestarts()) {
            run(seed, true, 120);
        }
    }

    private Set<String> run(long seed, boolean restarts, int recordCount) {
        RandomCaseRecords records = new RandomCaseRecords(seed);
        SplittableRandom cuts = new SplittableRandom(seed);
        NaiveCases oracle = new NaiveCases(SUPPRESSION);
        Set<String> seen = new LinkedHashSet<>();
        List<String> expected = new ArrayList<>();
        List<IntakeRecord> waiting = new ArrayList<>();
        Outbox outbox = create();
        for (int i = 0; i < recordCount; i++) {
            IntakeRecord record = records.next(List.copyOf(seen));
            waiting.add(record);
            expected.addAll(takeNaively(oracle, record));
            seen.addAll(oracle.caseIds());
            if (!restarts && cuts.nextInt(6) > 0 && i < recordCount - 1) {
                continue;
            }
            IntakeBatch batch = intake(outbox).take(waiting, 0);
            assertThat(decisions(batch))
                    .as("seed %s, record %s", seed, i)
                    .containsExactlyInAnyOrderElementsOf(expected);
            outbox.accept(batch);
            if (restarts) {
                outbox = restarted(outbox);
            }
            for (String caseId : seen) {
                String found = outbox.cases().find(caseId).map(NaiveCases::told).orElse("none");
                assertThat(found).as("seed %s, record %s", seed, i).isEqualTo(oracle.told(caseId));
            }
            waiting.clear();
            expected.clear();
        }
        assertThat(ends(outbox.counts().intake())).as("seed %s", seed).isEqualTo(oracle.ends);
        outbox.close();
        return oracle.ends.keySet();
    }

    private static AlertIntake intake(Outbox outbox) {
        return new AlertIntake(outbox, () -> ENDPOINTS, SUPPRESSION, TestAlerts.ALERTS_ID, TestAlerts.ACTIONS_ID);
    }

    private static List<String> takeNaively(NaiveCases oracle, IntakeRecord record) {
        if (record.kind() == IntakeRecord.Kind.ACTION) {
            return oracle.take(Json.decode(record.value(), CaseAction.class));
        }
        Alert alert = Json.decode(record.value(), Alert.class);
        String end = oracle.take(alert, alert.score() >= LEAST_SCORE);
        return end.equals("unrouted") ? List.of() : List.of(alert.alertId() + " " + end);
    }

    /** What leaves: alerts that are sent, reports of suppressed ones, labels. */
    private static List<String> decisions(IntakeBatch batch) {
        List<String> decisions = new ArrayList<>();
        for (IntakeBatch.RoutedAlert alert : batch.alerts()) {
            String id = Json.decode(alert.json(), Alert.class).alertId();
            decisions.add(id + (alert.escalation() ? " escalated" : " sent"));
        }
        for (OutgoingRecord outgoing : batch.outgoing()) {
            if (outgoing.destination() == OutgoingRecord.Destination.DELIVERIES) {
                Delivery delivery = Json.decode(outgoing.value(), Delivery.class);
                String reason = String.valueOf(delivery.detail()).replaceFirst(":.*", "");
                decisions.add(delivery.alertId() + " " + reason);
            } else {
                Map<String, Object> label = Json.decodeObject(outgoing.value());
                String account = new String(outgoing.key(), StandardCharsets.UTF_8);
                decisions.add(account + " " + label.get("event_id") + " " + label.get("value"));
            }
        }
        return decisions;
    }

    private static Map<String, Long> ends(IntakeBatch.Counts counts) {
        IntakeBatch.CaseCounts cases = counts.cases();
        Map<String, Long> ends = new TreeMap<>();
        ends.put("unrouted", counts.unrouted());
        ends.put("quiet", cases.quiet());
        ends.put("snooze", cases.snoozed());
        ends.put("cooldown", counts.cooledDown());
        ends.put("escalated", cases.escalated());
        ends.put("sent", counts.alerts() - counts.suppressed() - counts.unrouted() - cases.escalated());
        ends.put("opened", cases.opened());
        ends.put("expired", cases.expired());
        ends.put("actions", cases.actions());
        ends.put("refused", cases.refused());
        ends.put("repeated", cases.repeated());
        ends.put("caseless", cases.caseless());
        ends.values().removeIf(count -> count == 0);
        return ends;
    }
}
