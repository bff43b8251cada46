package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.DAY;
import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Summary;
import dev.vigil.scoring.Outputs.Kind;
import dev.vigil.scoring.PartitionScorerTester.Run;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Results of tumbling windows; 10 s out of order, 1 h late. T0 is midnight UTC. */
class SummariesTest {
    private static final String HOURLY =
            "summaries: {hourly: {every: 1h, values: {n: {count: tx}, total: {sum: tx.amount}, last: {last: tx.merchant}}}}\n";

    private static final long LAG = 10 * SECOND;

    private static List<String> told(Run run) {
        return told(run.outputs());
    }

    /** Offset, account, window's start in minutes after T0, revision, values. */
    private static List<String> told(Outputs outputs) {
        return outputs.summaries().stream()
                .map(summary -> summary.position().offset() + " " + summary.account() + " "
                        + (summary.windowStartUs() - T0) / MINUTE + " r" + summary.revision() + " " + summary.values())
                .toList();
    }

    @Test
    void shouldTellTheResultWhenTheWatermarkPassesTheEnd() {
        Run run = PartitionScorerTester.withPolicy(policy(HOURLY))
                .add(tx("a", 0, "{\"amount\": 1.50, \"merchant\": \"m1\"}"))
                .add(tx("b", HOUR - 1, "{\"amount\": 2.25, \"merchant\": \"m2\"}"))
                .add(tx("c", HOUR, "{\"amount\": 100}"))
                .add(tx("not-yet", HOUR + LAG - 1, "{}"))
                .add(tx("past", HOUR + LAG, "{}"))
                .runAll();
        assertThat(told(run)).containsExactly("5 acc-1 0 r0 {n=2, total=3.75, last=m2}");
        Summary summary = run.outputs().summaries().get(0);
        assertThat(summary.windowEndUs()).isEqualTo(T0 + HOUR);
        assertThat(summary.summary()).isEqualTo("hourly");
        assertThat(summary.policy() + summary.policyVersion() + summary.currency())
                .isEqualTo("test1EUR");
        assertThat(summary.index()).isZero();
        assertThat(run.outputs().all()).extracting(Outputs.Output::kind).endsWith(Kind.SCORED, Kind.SUMMARY);
    }

    @Test
    void shouldTellByTicksWhereNothingElseComes() {
        Run run = PartitionScorerTester.withPolicy(policy(HOURLY))
                .add(tx("a", MINUTE, "{}"))
                .add(TestRecord.tick(T0 + HOUR))
                .add(TestRecord.tick(T0 + HOUR + LAG))
                .add(TestRecord.tick(T0 + 2 * HOUR))
                .runAll();
        assertThat(told(run)).containsExactly("3 acc-1 0 r0 {n=1, total=0.00}");
    }

    @Test
    void shouldTellOnlyWindowsThatTheAccountHadEventsIn() {
        Run run = PartitionScorerTester.withPolicy(policy(HOURLY))
                .add(tx("a", MINUTE, "{}"))
                .add(tx("b", 3 * HOUR, "{}").withAccount("other"))
                .add(TestRecord.event("login", "l", T0 + 4 * HOUR, "{}").withAccount("third"))
                .add(TestRecord.tick(T0 + DAY))
                .runAll();
        assertThat(told(run))
                .containsExactly(
                        "2 acc-1 0 r0 {n=1, total=0.00}",
                        "4 other 180 r0 {n=1, total=0.00}",
                        "4 third 240 r0 {n=0, total=0.00}");
    }

    @Test
    void shouldTellAgainWhenAnEventOutOfOrderComesIntoATellingWindow() {
        Run run = PartitionScorerTester.withPolicy(policy(HOURLY))
                .add(tx("a", MINUTE, "{\"amount\": 1}"))
                .add(tx("past", HOUR + MINUTE, "{}"))
                .add(tx("out-of-order", HOUR - 1, "{\"amount\": 2, \"merchant\": \"m\"}"))
                .add(tx("barely-in-time", MINUTE, "{}"))
                .add(tx("far", 3 * HOUR, "{}"))
                .add(tx("too-late", 2, "{}"))
                .runAll();
        assertThat(told(run))
                .containsExactly(
                        "2 acc-1 0 r0 {n=1, total=1.00}",
                        "3 acc-1 0 r3 {n=2, total=3.00, last=m}",
                        "4 acc-1 0 r4 {n=3, total=3.00, last=m}",
                        "5 acc-1 60 r0 {n=1, total=0.00}");
    }

    @Test
    void shouldTellAgainForALateEventThatIsEntered() {
        Run run = PartitionScorerTester.withPolicy(
                        policy(HOURLY).replace("late: side_output", "late: update, correct_within: 6h"))
                .add(tx("a", MINUTE, "{}"))
                .add(tx("far", 5 * HOUR, "{}"))
                .add(tx("late", 2 * MINUTE, "{\"amount\": 7}"))
                .add(tx("late-alone", 2 * HOUR, "{\"amount\": 8}"))
                .add(tx("farther", DAY, "{}"))
                .add(tx("too-late", 2 * MINUTE, "{}"))
                .runAll();
        assertThat(told(run))
                .containsExactly(
                        "2 acc-1 0 r0 {n=1, total=0.00}",
                        "3 acc-1 0 r3 {n=2, total=7.00}",
                        "4 acc-1 120 r0 {n=1, total=8.00}",
                        "5 acc-1 300 r0 {n=1, total=0.00}");
    }

    /** A few with each record, in order of end, name and account; and all that they are over stays until then. */
    @Test
    void shouldSpreadManyResultsOverTheNextRecords() {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(HOURLY));
        for (int i = 0; i < 10; i++) {
            tester.add(tx("e" + i, i, "{\"amount\": " + i + "}").withAccount("acc" + i));
        }
        tester.add(tx("jump", 100 * DAY, "{}"));
        tester.add(tx("again", 100 * DAY, "{}").withAccount("acc9"));
        tester.add(tx("and-again", 100 * DAY + 1, "{}").withAccount("acc9"));
        Outputs outputs = tester.run();
        assertThat(outputs.summaries())
                .extracting(Summary::account)
                .containsExactly("acc0", "acc1", "acc2", "acc3", "acc4", "acc5", "acc6", "acc7", "acc8", "acc9");
        assertThat(outputs.summaries())
                .extracting(summary -> summary.position().offset())
                .containsExactly(11L, 11L, 11L, 11L, 12L, 12L, 12L, 12L, 13L, 13L);
        assertThat(outputs.summaries())
                .extracting(Summary::index)
                .containsExactly(0L, 1L, 2L, 3L, 0L, 1L, 2L, 3L, 0L, 1L);
        assertThat(outputs.summaries().get(9).values().toString()).isEqualTo("{n=1, total=9.00}");
    }

    @Test
    void shouldBeginWithTheFirstWindowThatThePolicySawFromItsStart() {
        Run run = PartitionScorerTester.withPolicy(policy(""))
                .add(tx("before", 50 * MINUTE, "{}"))
                .add(TestRecord.policy(policy(HOURLY)))
                .add(tx("same-window", 55 * MINUTE, "{}"))
                .add(tx("next-window", 65 * MINUTE, "{}"))
                .add(TestRecord.policy(policy(HOURLY + "rules: [{id: r, when: \"true\", score: 1}]\n")))
                .add(tx("goes-on", 70 * MINUTE, "{}"))
                .add(TestRecord.policy(policy(HOURLY.replace("sum: tx.amount", "max: tx.amount"))))
                .add(tx("means-something-else", 75 * MINUTE, "{}"))
                .add(TestRecord.policy(policy(HOURLY.replace("sum: tx.amount", "max: tx.amount"))))
                .add(tx("third", 130 * MINUTE, "{\"amount\": 3}"))
                .add(TestRecord.tick(T0 + DAY))
                .runAll();
        assertThat(told(run)).containsExactly("11 acc-1 120 r0 {n=1, total=3.00}");
        Run unchanged = PartitionScorerTester.withPolicy(policy(HOURLY))
                .add(tx("a", 5 * MINUTE, "{}"))
                .add(TestRecord.policy(policy(HOURLY + "rules: [{id: r, when: \"true\", score: 1}]\n")))
                .add(tx("b", 10 * MINUTE, "{}"))
                .add(TestRecord.policy(policy("")))
                .add(TestRecord.tick(T0 + DAY))
                .runAll();
        assertThat(told(unchanged)).isEmpty();
    }

    @Test
    void shouldGoOnUnderAPolicyThatDeclaresTheSame() {
        Run run = PartitionScorerTester.withPolicy(policy(HOURLY))
                .add(tx("a", 5 * MINUTE, "{}"))
                .add(TestRecord.policy(policy(HOURLY).replace("version: 1", "version: 2")))
                .add(tx("b", 10 * MINUTE, "{}"))
                .add(TestRecord.tick(T0 + DAY))
                .runAll();
        assertThat(told(run)).containsExactly("4 acc-1 0 r0 {n=2, total=0.00}");
        assertThat(run.outputs().summaries().get(0).policyVersion()).isEqualTo(2);
    }

    @Test
    void shouldChangeNoResultByBackfillFromBeforeTheHorizon() {
        Run run = PartitionScorerTester.withPolicy(policy(HOURLY))
                .add(tx("now", 10 * DAY, "{}"))
                .add(tx("old", 0, "{}").asBackfill())
                .add(tx("recent", 10 * DAY - 2 * HOUR, "{}").asBackfill())
                .add(TestRecord.tick(T0 + 11 * DAY))
                .runAll();
        assertThat(told(run))
                .containsExactly("3 acc-1 14280 r0 {n=1, total=0.00}", "4 acc-1 14400 r0 {n=1, total=0.00}");
    }

    /** An account with a summary leaves as any other, when nothing waits for its events any more. */
    @Test
    void shouldLeaveNothingBehind() {
        Run run = PartitionScorerTester.withPolicy(policy(HOURLY))
                .add(tx("a", 0, "{}"))
                .add(TestRecord.tick(T0 + DAY))
                .add(TestRecord.tick(T0 + DAY))
                .runAll();
        List<String> kinds = new ArrayList<>();
        run.store().dump().lines().forEach(line -> kinds.add(line.substring(0, 2)));
        assertThat(kinds).as("the task's own keys").containsExactly("61", "6b", "70", "74");
    }
}
