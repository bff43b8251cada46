package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.DAY;
import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.EventEnvelope;
import dev.vigil.scoring.PartitionScorerTester.Run;
import dev.vigil.scoring.state.TaskState.End;
import org.junit.jupiter.api.Test;

class DuplicatesTest {
    private static final String COUNT = "features: {n: {count: tx, over: 2h}}\n";

    /** H05: the same authorisation three times, in the same millisecond and an hour apart, counts once. */
    @Test
    void shouldCountARedeliveredEventOnce() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("auth", 0, "{\"amount\": 5}"))
                .add(tx("auth", 0, "{\"amount\": 5}"))
                .add(tx("auth", HOUR, "{\"amount\": 7}"))
                .add(tx("b", HOUR, "{}"))
                .runAll();
        assertThat(run.counts().count(End.DUPLICATE)).isEqualTo(2);
        assertThat(run.outputs().features("n")).containsExactly(1, 2);
    }

    @Test
    void shouldTellSourcesAndAccountsApart() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("1", 0, "{}"))
                .add(tx("1", 0, "{}").withHeader(EventEnvelope.SOURCE_HEADER, "/other"))
                .add(tx("1", 0, "{}").withAccount("other"))
                .runAll();
        assertThat(run.counts().count(End.DUPLICATE)).isZero();
        assertThat(run.outputs().features("n")).containsExactly(1, 2, 1);
    }

    @Test
    void shouldCallALateRedeliveryADuplicateAsLongAsItIsRemembered() {
        Run run = PartitionScorerTester.withPolicy(policy(COUNT))
                .add(tx("a", 0, "{}"))
                .add(tx("b", 2 * HOUR, "{}"))
                .add(tx("a", 0, "{}"))
                .runAll();
        assertThat(run.counts().count(End.DUPLICATE)).isOne();
    }

    /** The first copy is forgotten while its block is still there; the second is remembered in its place. */
    @Test
    void shouldRememberTheSecondCopyAfterTheFirstIsForgotten() {
        PartitionScorerTester tester =
                PartitionScorerTester.withPolicy(policy(COUNT)).add(tx("a", 0, "{}"));
        for (int i = 0; i < 100; i++) {
            tester.add(tx("e" + i, DAY / 2 + i * MINUTE, "{}"));
        }
        tester.add(tx("a", DAY / 2 + 100 * MINUTE, "{}"));
        for (int i = 100; i < 400; i++) {
            tester.add(tx("e" + i, DAY / 2 + i * MINUTE, "{}"));
            tester.add(tx("a", DAY / 2 + i * MINUTE, "{}"));
        }
        Run run = tester.restoreEvery(97).runAll();
        // Each copy is remembered for 2 h of window, 1 h of lateness and 10 s out of order.
        assertThat(run.outputs().scored().stream()
                        .filter(event -> event.eventId().equals("a")))
                .extracting(event -> (event.eventTimeUs() - TestPolicies.T0 - DAY / 2) / MINUTE)
                .containsExactly(-720L, 100L, 281L);
    }
}
