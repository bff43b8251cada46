package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.DAY;
import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.scoring.PartitionScorerTester.Run;
import dev.vigil.scoring.state.TaskState.End;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The policy remembers 2 h of window and 1 h of lateness, behind a watermark that trails by 10 s. */
class IdleAccountsTest {
    private static final String COUNT = "features: {n: {count: tx, over: 2h}}\n";
    private static final long REMEMBERED = 3 * HOUR + 10 * SECOND;

    /** Keys of the kind in the store: b blocks, h heads, i timers. */
    private static List<String> keys(Run run, char kind) {
        String prefix = Integer.toHexString(kind);
        return run.store()
                .dump()
                .lines()
                .filter(line -> line.startsWith(prefix))
                .toList();
    }

    @Test
    void shouldLeaveNothingOfAnAccountWhoseEventsAreAllForgotten() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", 0, "{}"))
                .add(tx("b", MINUTE, "{}"))
                .add(tx("c", MINUTE + REMEMBERED, "{}").withAccount("other"))
                .runAll();
        assertThat(keys(run, 'h')).hasSize(1);
        assertThat(keys(run, 'b')).hasSize(1);
        assertThat(keys(run, 'i')).hasSize(1);
        assertThat(run.store().dump()).doesNotContain("6163632d31"); // acc-1
    }

    @Test
    void shouldKeepAnAccountUntilItsLastEventIsForgotten() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", 0, "{}"))
                .add(tx("b", MINUTE, "{}"))
                .add(tx("c", MINUTE + REMEMBERED - 1, "{}").withAccount("other"))
                .add(tx("b", MINUTE, "{}"))
                .runAll();
        assertThat(keys(run, 'h')).hasSize(2);
        assertThat(run.counts().count(End.DUPLICATE)).isOne();
    }

    @Test
    void shouldLetAccountsLeaveByTicksWhereNothingElseComes() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", 0, "{}"))
                .add(TestRecord.tick(T0 + REMEMBERED))
                .runAll();
        assertThat(keys(run, 'h')).isEmpty();
        assertThat(keys(run, 'b')).isEmpty();
        assertThat(keys(run, 'i')).isEmpty();
    }

    @Test
    void shouldKeepReferenceRowsAndComeBackToThem() {
        String sections = "reference: {account: {fields: {level: long}}}\n"
                + "features: {n: {count: tx, over: 2h}, l: {expr: account.level}}";
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(sections))
                .add(TestRecord.reference("account", "{\"level\": 7}"))
                .add(tx("a", 0, "{}"))
                .add(TestRecord.tick(T0 + DAY));
        Run away = tester.runAll();
        assertThat(keys(away, 'h')).hasSize(1);
        assertThat(keys(away, 'b')).isEmpty();
        Run back = tester.add(tx("b", DAY, "{}")).runAll();
        assertThat(back.outputs().features("n")).containsExactly(1, 1);
        assertThat(back.outputs().features("l")).containsExactly(7, 7);
        Run gone = tester.add(TestRecord.tick(T0 + 3 * DAY))
                .add(TestRecord.reference("account", null))
                .runAll();
        assertThat(keys(gone, 'h')).isEmpty();
    }

    /** However far the watermark jumps, a record lets a few accounts go; the others follow with the next records. */
    @Test
    void shouldLetFewAccountsLeaveWithEachRecord() {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(COUNT));
        for (int i = 0; i < 100; i++) {
            tester.add(tx("e" + i, i * SECOND, "{}").withAccount("acc" + i));
        }
        tester.add(tx("jump", DAY, "{}")).restoreEvery(7);
        assertThat(keys(tester.runAll(), 'h')).hasSize(101 - 4);
        for (int i = 0; i < 10; i++) {
            tester.add(tx("later" + i, DAY, "{}"));
        }
        assertThat(keys(tester.runAll(), 'h')).hasSize(101 - 44);
        tester.add(TestRecord.tick(T0 + DAY));
        assertThat(keys(tester.runAll(), 'h')).hasSize(1);
    }

    /** Four timers of 64 blocks of 16 events. */
    @Test
    void shouldLetABusyAccountLeaveInPieces() {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(COUNT));
        for (int i = 0; i < 4_200; i++) {
            tester.add(tx("e" + i, i, "{}"));
        }
        tester.add(tx("jump", DAY, "{}").withAccount("other")).restoreEvery(2_000);
        Run some = tester.runAll();
        assertThat(keys(some, 'h')).hasSize(2);
        assertThat(keys(some, 'b')).hasSize(1 + (4_200 + 15) / 16 - 4 * 64);
        assertThat(keys(some, 'i')).hasSize(2);
        Run gone = tester.add(tx("next", DAY, "{}").withAccount("other")).runAll();
        assertThat(keys(gone, 'h')).hasSize(1);
        assertThat(keys(gone, 'b')).hasSize(1);
        assertThat(keys(gone, 'i')).hasSize(1);
    }

    /** An account that is always there has its timer moved now and then, not with every event. */
    @Test
    void shouldKeepOneTimerForAnAccount() {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(COUNT));
        for (int i = 0; i < 300; i++) {
            tester.add(tx("e" + i, i * 7 * MINUTE, "{}"));
        }
        assertThat(keys(tester.restoreEvery(31).runAll(), 'i')).hasSize(1);
    }

    @Test
    void shouldLetABackfilledAccountFromLongAgoLeaveAtOnce() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("now", 5 * DAY, "{}"))
                .add(tx("old", 0, "{}").withAccount("other").asBackfill())
                .runAll();
        assertThat(run.outputs().feature("old", "n")).isEqualTo(1);
        assertThat(keys(run, 'h')).hasSize(1);
    }

    /** Whether accounts leave, and when, shows in no output. */
    @ParameterizedTest
    @MethodSource("dev.vigil.scoring.WindowPropertyTest#seeds")
    void shouldGiveTheSameBytesAsWithoutLeaving(long seed) {
        RandomScenario scenario = new RandomScenario(seed, 60, 300, 30);
        scenario.changePolicy();
        for (int i = 0; i < 500; i++) {
            if (scenario.random.nextInt(150) == 0) {
                scenario.changePolicy();
            }
            scenario.event(0);
        }
        scenario.tester.restoreEvery(61);
        Run leaving = scenario.tester.runAll();
        Run staying = scenario.tester.runWithoutTimers();
        assertThat(leaving.outputs().all())
                .as("seed %d", seed)
                .isEqualTo(staying.outputs().all());
        assertThat(keys(leaving, 'h').size())
                .as("seed %d", seed)
                .isLessThan(keys(staying, 'h').size());
    }
}
