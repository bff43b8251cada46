package dev.vigil.alerting.cases;

import dev.vigil.alerting.IntakeRecord;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.RuleHit;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.Disposition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Alerts of few groups over weeks of event time, some out of order, and what people do about their cases. */
public final class RandomCaseRecords {
    private static final long MINUTE_US = 60_000_000L;
    private static final long DAY_US = 1_440 * MINUTE_US;
    private static final List<String> RULES = List.of("velocity", "travel", "noise", "hum");

    private final SplittableRandom random;
    private final Map<String, Long> offsets = new HashMap<>();
    private final List<String> actionIds = new ArrayList<>();
    private long nowUs = EventTimes.parse("2026-03-01T00:00:00Z");
    private long ingestMs = 1_000;

    public RandomCaseRecords(long seed) {
        this.random = new SplittableRandom(seed);
    }

    private <T> T oneOf(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private long offset(String topic, int partition) {
        return offsets.merge(topic + partition, 1L, Long::sum);
    }

    /** @param caseIds that an action may be about */
    public IntakeRecord next(List<String> caseIds) {
        return caseIds.isEmpty() || random.nextInt(3) > 0 ? alert() : action(caseIds);
    }

    private IntakeRecord alert() {
        nowUs += random.nextInt(5) == 0 ? random.nextLong(3 * DAY_US) : random.nextLong(20 * MINUTE_US);
        long lateUs = random.nextInt(4) == 0 ? random.nextLong(random.nextInt(4) == 0 ? 3 * DAY_US : DAY_US / 24) : 0;
        int partition = random.nextInt(2);
        long offset = offset("log", partition);
        Map<String, Object> fields = new LinkedHashMap<>();
        if (random.nextInt(4) > 0) {
            fields.put("amount", oneOf(List.of(10, 25, 60)));
        }
        List<RuleHit> rules = new ArrayList<>();
        for (int i = random.nextInt(2); i >= 0; i--) {
            rules.add(new RuleHit(oneOf(RULES), 10, "why", Map.of()));
        }
        Alert alert = new Alert(
                "alert-" + partition + "-" + offset,
                "tx-" + partition + "-" + (random.nextInt(10) == 0 ? 1 : offset),
                "bank",
                "transaction",
                "acc-" + partition,
                nowUs - lateUs,
                ingestMs++,
                new SourcePosition(TestAlerts.LOG_ID, partition, offset),
                "card-fraud",
                1,
                "EUR",
                oneOf(List.of(40, 50, 55, 60, 70, 90)),
                oneOf(List.of(Decision.REVIEW, Decision.REVIEW, Decision.DECLINE)),
                oneOf(List.of("group-a", "group-b", "group-c")),
                oneOf(List.of(0L, 900_000L, 900_000L, 900_000L)),
                fields,
                rules);
        return record(IntakeRecord.Kind.ALERT, partition, Json.encode(alert));
    }

    private IntakeRecord action(List<String> caseIds) {
        boolean again = !actionIds.isEmpty() && random.nextInt(8) == 0;
        String actionId = again ? oneOf(actionIds) : "action-" + actionIds.size();
        actionIds.add(actionId);
        CaseAction.Kind kind = oneOf(List.of(CaseAction.Kind.values()));
        CaseAction action = new CaseAction(
                actionId,
                random.nextInt(10) == 0 ? "abcdef" : oneOf(caseIds),
                "acc-0",
                kind,
                oneOf(List.of("ann", "bob")),
                nowUs / 1_000,
                random.nextInt(3) == 0 ? Long.valueOf(random.nextLong(1, 8)) : null,
                random.nextInt(2) == 0 ? "ann" : null,
                oneOf(List.of(Disposition.values())),
                nowUs + random.nextLong(-DAY_US / 24, oneOf(List.of(DAY_US / 24, DAY_US, 40 * DAY_US))),
                random.nextInt(2) == 0 ? "since" : null);
        return record(IntakeRecord.Kind.ACTION, random.nextInt(2), Json.encode(action));
    }

    private IntakeRecord record(IntakeRecord.Kind kind, int partition, byte[] value) {
        return new IntakeRecord(kind, partition, offset(kind.name(), partition), 0, null, value, Map.of());
    }
}
