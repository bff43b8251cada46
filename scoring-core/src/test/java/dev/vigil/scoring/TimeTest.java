package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.DAY;
import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventTimes;
import dev.vigil.event.ScoredEvent;
import dev.vigil.scoring.Outputs.Kind;
import dev.vigil.scoring.PartitionScorerTester.Run;
import dev.vigil.scoring.state.TaskState.End;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Watermark, lateness, the future, ticks, backfill. The policy allows 10 s out of order, 1 h late, 5 min ahead. */
class TimeTest {
    private static final String COUNT = "features: {n: {count: tx, over: 2h}}\n";
    private static final String ALERTING =
            COUNT + "rules: [{id: any, when: \"n > 0\", score: 90}]\ndecisions: [{decline: 80}]\n";

    @Test
    void shouldTrailTheLargestEventTime() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", HOUR, "{}"))
                .add(tx("b", 0, "{}"))
                .runAll();
        assertThat(run.counts().watermarkUs()).isEqualTo(T0 + HOUR - 10 * SECOND);
    }

    @Test
    void shouldSetLateEventsAsideAndCountThem() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", DAY, "{}"))
                .add(tx("still-allowed", DAY - HOUR - 10 * SECOND, "{}"))
                .add(tx("late", DAY - HOUR - 10 * SECOND - 1, "{}"))
                .add(tx("b", DAY, "{}"))
                .runAll();
        assertThat(run.counts().count(End.LATE)).isOne();
        assertThat(run.outputs().counts()).containsEntry(Kind.LATE, 1L);
        assertThat(run.outputs().feature("b", "n")).isEqualTo(3);
    }

    @Test
    void shouldDropLateEventsWithACount() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT).replace("side_output", "drop"))
                .add(tx("a", DAY, "{}"))
                .add(tx("late", 0, "{}"))
                .runAll();
        assertThat(run.counts().count(End.LATE)).isOne();
        assertThat(run.outputs().counts()).doesNotContainKey(Kind.LATE);
    }

    /** C13 of the field cases: scored + late + refused = read, and the late ones are kept. */
    @Test
    void shouldLoseNoneOfAThousandEvents() {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(COUNT));
        for (int i = 0; i < 1_000; i++) {
            tester.add(tx("e" + i, i % 100 == 99 ? 0 : DAY + i * SECOND, "{}"));
        }
        Run run = tester.restoreEvery(250).runAll();
        assertThat(run.counts().count(End.SCORED)).isEqualTo(990);
        assertThat(run.counts().count(End.LATE)).isEqualTo(10);
        assertThat(run.outputs().counts()).isEqualTo(Map.of(Kind.SCHEMA, 1L, Kind.SCORED, 990L, Kind.LATE, 10L));
    }

    /** B08: one event from the future neither counts nor moves the watermark. */
    @Test
    void shouldRefuseTheFutureWithoutMovingTheWatermark() {
        long ingestTimeMs = T0 / 1_000 + 60_000;
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", 0, "{}"))
                .add(TestRecord.event("tx", "far", EventTimes.parse("2099-01-01T00:00:00Z"), "{}")
                        .withIngestTimeMs(ingestTimeMs))
                .add(tx("just-allowed", 6 * MINUTE, "{}").withIngestTimeMs(ingestTimeMs))
                .add(tx("ahead", 6 * MINUTE + 1, "{}").withIngestTimeMs(ingestTimeMs))
                .add(tx("b", MINUTE, "{}").withAccount("other"))
                .runAll();
        assertThat(run.outputs().deadLetters())
                .extracting(Outputs.Refusal::reason)
                .containsExactly(Reason.FUTURE_EVENT_TIME, Reason.FUTURE_EVENT_TIME);
        assertThat(run.outputs().scored()).extracting(ScoredEvent::eventId).containsExactly("a", "just-allowed", "b");
        assertThat(run.counts().watermarkUs()).isEqualTo(T0 + 6 * MINUTE - 10 * SECOND);
    }

    /** B10: what is late stays late over a restart, which every run of the tester does. */
    @Test
    void shouldDecideLatenessAsWithoutARestart() {
        Run run = PartitionScorerTester.withPolicy(
                        policy(COUNT).replace("allowed_lateness: 1h", "allowed_lateness: 10m"))
                .add(tx("a", 12 * HOUR + 30 * MINUTE, "{}"))
                .add(tx("late", 12 * HOUR, "{}"))
                .runAll();
        assertThat(run.counts().count(End.LATE)).isOne();
    }

    @Test
    void shouldMoveTheWatermarkByTicksButNotIntoTheFuture() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", 0, "{}"))
                .add(TestRecord.tick(T0 + 3 * HOUR))
                .add(tx("late", HOUR, "{}"))
                .add(TestRecord.tick(T0 + 100 * DAY).withIngestTimeMs((T0 + 4 * HOUR) / 1_000))
                .runAll();
        assertThat(run.counts().count(End.CONTROL)).isEqualTo(3);
        assertThat(run.counts().count(End.LATE)).isOne();
        assertThat(run.counts().watermarkUs()).isEqualTo(T0 + 4 * HOUR + 5 * MINUTE - 10 * SECOND);
    }

    @Test
    void shouldNotLetATickMoveTheWatermarkBack() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", HOUR, "{}"))
                .add(TestRecord.tick(T0))
                .runAll();
        assertThat(run.counts().watermarkUs()).isEqualTo(T0 + HOUR - 10 * SECOND);
    }

    @Test
    void shouldScoreBackfillWithoutAlertingOrCallingItLate() {
        Run run = PartitionScorerTester.withPolicy(policy(ALERTING))
                .add(tx("a", DAY, "{}"))
                .add(tx("old", 0, "{}").asBackfill())
                .add(tx("recent", DAY - MINUTE, "{}").asBackfill())
                .add(tx("b", DAY, "{}"))
                .runAll();
        assertThat(run.counts().count(End.SCORED)).isEqualTo(4);
        assertThat(run.outputs().scored("old").backfill()).isTrue();
        assertThat(run.outputs().scored("old").decision()).hasToString("DECLINE");
        assertThat(run.outputs().alerts()).extracting("eventId").containsExactly("a", "b");
        assertThat(run.outputs().feature("b", "n")).isEqualTo(3);
    }

    /** C21: whatever the order of arrival within the lateness, the same windows in the end. */
    @Test
    void shouldGiveTheSameFinalWindowsForEveryOrderOfArrival() {
        List<TestRecord> events = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            events.add(tx("e" + i, i * MINUTE, "{\"amount\": " + i + ", \"merchant\": \"m" + i % 7 + "\"}"));
        }
        String features = """
                features:
                  n: {count: tx, over: 2h}
                  sum: {sum: tx.amount, over: 30m}
                  avg: {avg: tx.amount, over: 45m}
                  merchants: {distinct: tx.merchant, over: 20m, delay: 10m}
                  first: {first: tx.amount, over: 40m}
                  before: {nth_last: tx.merchant, n: 3, over: 1h}
                  since: {elapsed_since: tx}
                """;
        String inOrder = lastFeatures(features, events);
        for (long seed = 1; seed <= 100; seed++) {
            List<TestRecord> permuted = new ArrayList<>(events);
            Collections.shuffle(permuted, new Random(seed));
            assertThat(lastFeatures(features, permuted)).as("seed %d", seed).isEqualTo(inOrder);
        }
    }

    private static String lastFeatures(String features, List<TestRecord> events) {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(features));
        events.forEach(tester::add);
        tester.add(tx("last", 51 * MINUTE, "{}"));
        return tester.restoreEvery(60).run().scored("last").features().toString();
    }

    @Test
    void shouldKeepWhatAWindowMayStillNeedAndForgetTheRest() {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(COUNT));
        for (int i = 0; i < 200; i++) {
            tester.add(tx("e" + i, i * 10 * MINUTE, "{}"));
        }
        Run run = tester.restoreEvery(50).runAll();
        assertThat(run.outputs().feature("e199", "n")).isEqualTo(12);
        // 2 h of window and 1 h of lateness are 18 events, in blocks of 16.
        assertThat(run.store()
                        .dump()
                        .lines()
                        .filter(line -> line.startsWith("62"))
                        .count())
                .isLessThanOrEqualTo(3);
    }
}
