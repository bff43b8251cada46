package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.MS;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Where windows begin and end; the table is in docs/policy.md. */
class WindowEdgesTest {
    private static final long[] TIMES_MS = {0, 59_999, 60_000, 60_001};

    private static List<Object> counts(String window) {
        PartitionScorerTester tester =
                PartitionScorerTester.withPolicy(policy("features: {n: {count: tx, " + window + "}}"));
        for (long timeMs : TIMES_MS) {
            tester.add(tx("at-" + timeMs, timeMs * MS, "{}"));
        }
        return tester.run().features("n");
    }

    @Test
    void shouldLeaveTheLeftEdgeOutAndTakeTheEventItselfIn() {
        assertThat(counts("over: 1m")).containsExactly(1, 2, 2, 3);
    }

    @Test
    void shouldLeaveThePriorEventOut() {
        assertThat(counts("over: 1m, prior: true")).containsExactly(0, 1, 1, 2);
    }

    @Test
    void shouldShiftADelayedWindow() {
        assertThat(counts("over: 1m, delay: 1m")).containsExactly(0, 0, 1, 1);
    }

    @Test
    void shouldNeverHoldTheEventInADelayedWindowWhetherPriorOrNot() {
        assertThat(counts("over: 1m, delay: 1s, prior: true")).isEqualTo(counts("over: 1m, delay: 1s"));
    }

    @Test
    void shouldTellMicrosecondsApart() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("features: {n: {count: tx, over: 1s}}"))
                .add(tx("a", 0, "{}"))
                .add(tx("b", SECOND - 1, "{}"))
                .add(tx("c", SECOND, "{}"))
                .run();
        assertThat(outputs.features("n")).containsExactly(1, 2, 2);
    }

    @Test
    void shouldBreakTiesByLogOrder() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("""
                                features:
                                  n: {count: tx, over: 1h}
                                  before: {count: tx, over: 1h, prior: true}
                                  last: {last: tx.merchant, over: 1h, prior: true}
                                """))
                .add(tx("a", 0, "{\"merchant\": \"first\"}"))
                .add(tx("b", 0, "{\"merchant\": \"second\"}"))
                .run();
        assertThat(outputs.features("n")).containsExactly(1, 2);
        assertThat(outputs.features("before")).containsExactly(0, 1);
        assertThat(outputs.features("last")).containsExactly("absent", "first");
    }

    @Test
    void shouldScoreAnEventOutOfOrderAsOfItsOwnTimeAndCountItForLaterOnes() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("features: {n: {count: tx, over: 10m}}"))
                .add(tx("a", 0, "{}"))
                .add(tx("c", 20 * MINUTE, "{}"))
                .add(tx("b", 5 * MINUTE, "{}"))
                .add(tx("d", 14 * MINUTE, "{}"))
                .run();
        assertThat(outputs.feature("b", "n")).isEqualTo(2);
        assertThat(outputs.feature("c", "n")).isEqualTo(1);
        assertThat(outputs.feature("d", "n")).isEqualTo(2);
    }

    @Test
    void shouldLookAtTheAccountAndTheTypeAlone() {
        Outputs outputs = PartitionScorerTester.withPolicy(
                        policy("features: {n: {count: tx, over: 1h}, logins: {count: login, over: 1h}}"))
                .add(tx("a", 0, "{}"))
                .add(tx("b", SECOND, "{}").withAccount("other"))
                .add(TestRecord.event("login", "l", TestPolicies.T0 + SECOND, "{}"))
                .add(tx("c", 2 * SECOND, "{}"))
                .run();
        assertThat(outputs.features("n")).containsExactly(1, 1, 1, 2);
        assertThat(outputs.features("logins")).containsExactly(0, 0, 1, 1);
    }

    @Test
    void shouldGiveEmptyWindowsTheirDocumentedValues() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("""
                                features:
                                  count: {count: login, over: 1h}
                                  rate: {rate: login.ok, over: 1h}
                                  labelled: {rate: tx.label.fraud, over: 1h, prior: true}
                                  sum: {sum: tx.amount, over: 1h, prior: true}
                                  distinct: {distinct: tx.merchant, over: 1h, prior: true}
                                  avg: {avg: tx.amount, over: 1h, prior: true}
                                  min: {min: tx.amount, over: 1h, prior: true}
                                  max: {max: tx.amount, over: 1h, prior: true}
                                  stddev: {stddev: tx.amount, over: 1h}
                                  first: {first: tx.merchant, over: 1h, prior: true}
                                  last: {last: tx.merchant, over: 1h, prior: true}
                                  second: {nth_last: tx.amount, n: 2, over: 1h}
                                  since: {elapsed_since: tx}
                                  speed: {geo_speed: tx}
                                """))
                .add(tx("a", 0, "{\"amount\": 5, \"merchant\": \"m\", \"lat\": 1, \"lon\": 1}"))
                .run();
        assertThat(outputs.scored("a").features().toString())
                .isEqualTo("{count=0, rate=0.0, labelled=0.0, sum=0.00, distinct=0}");
    }

    @Test
    void shouldNotLetAbsentValuesTakePart() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("""
                                features:
                                  count: {count: tx, over: 1h}
                                  avg: {avg: tx.amount, over: 1h}
                                  last: {last: tx.amount, over: 1h}
                                  rate: {rate: tx.ok, over: 1h}
                                """))
                .add(tx("a", 0, "{\"amount\": 4, \"ok\": true}"))
                .add(tx("b", HOUR - 1, "{\"amount\": null}"))
                .run();
        assertThat(outputs.scored("b").features().toString()).isEqualTo("{count=2, avg=4.0, last=4.00, rate=0.5}");
    }
}
