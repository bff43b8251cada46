package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.MS;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PartitionScorerTest {
    @Test
    void shouldCountFromAfterTheWindowsLeftEdgeToTheEventItself() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("features: {n: {count: tx, over: 1m}}"))
                .add(tx("a", 0, "{}"))
                .add(tx("b", 59_999 * MS, "{}"))
                .add(tx("c", MINUTE, "{}"))
                .add(tx("d", MINUTE + MS, "{}"))
                .run();
        assertThat(outputs.features("n")).containsExactly(1, 2, 2, 3);
    }
}
