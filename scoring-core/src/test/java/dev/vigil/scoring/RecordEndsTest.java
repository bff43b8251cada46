package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.DAY;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.scoring.PartitionScorerTester.Run;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.TaskState.End;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RecordEndsTest {
    @Test
    void shouldEndEachRecordInExactlyOneWay() {
        Run run = new PartitionScorerTester()
                .add(tx("too-early", 0, "{}"))
                .add(TestRecord.policy(
                        policy("reference: {account: {fields: {limit: money}}}\nfeatures: {n: {count: tx, over: 1h}}")))
                .add(TestRecord.reference("account", "{\"limit\": 100}"))
                .add(TestRecord.reference("unknown", "{}"))
                .add(tx("a", DAY, "{}"))
                .add(tx("a", DAY, "{}"))
                .add(tx("late", 0, "{}"))
                .add(TestRecord.label("a", "fraud", true))
                .add(TestRecord.label("never-seen", "fraud", true))
                .add(TestRecord.tick(T0 + DAY))
                .add(TestRecord.event("vigil.unheard-of", "c", T0, "{}"))
                .add(TestRecord.event("refund", "r", T0, "{}"))
                .add(TestRecord.policy("policy: broken"))
                .runAll();
        assertThat(Arrays.stream(End.values()).map(run.counts()::count)).containsExactly(1L, 2L, 2L, 2L, 1L, 1L, 4L);
        assertThat(run.counts().read()).isEqualTo(13);
        assertThat(run.outputs().deadLetters())
                .extracting(Outputs.Refusal::reason)
                .containsExactly(
                        Reason.NO_POLICY, Reason.UNKNOWN_CONTROL, Reason.UNKNOWN_EVENT_TYPE, Reason.BAD_POLICY);
    }

    @Test
    void shouldRefuseEveryRecordButControlBeforeTheFirstPolicy() {
        Run run = new PartitionScorerTester()
                .add(tx("a", 0, "{}"))
                .add(TestRecord.reference("account", "{}"))
                .add(TestRecord.label("a", "fraud", true))
                .add(TestRecord.tick(T0))
                .runAll();
        assertThat(run.counts().count(End.DEAD_LETTERED)).isEqualTo(3);
        assertThat(run.counts().count(End.CONTROL)).isOne();
        assertThat(run.outputs().deadLetters())
                .extracting(Outputs.Refusal::reason)
                .containsOnly(Reason.NO_POLICY);
    }

    @Test
    void shouldGoOnWithTheOldPolicyWhenTheNewOneIsBroken() {
        Run run = PartitionScorerTester.withPolicy(policy("features: {n: {count: tx, over: 1h}}"))
                .add(TestRecord.policy(policy("features: {n: {cuont: tx, over: 1h}}")))
                .add(tx("a", 0, "{}"))
                .runAll();
        assertThat(run.outputs().feature("a", "n")).isEqualTo(1);
        assertThat(run.outputs().deadLetters().get(0).detail())
                .isEqualTo("policy:8:16: features.n.cuont: unknown key 'cuont', did you mean 'count'?");
    }

    @Test
    void shouldAllowGapsInOffsetsButNoWayBack() {
        PartitionScorer scorer = new PartitionScorer("topic", 0, new InMemoryStateStore(), 10);
        LogRecord record = new LogRecord();
        TestRecord.tick(T0).fill(record, 5);
        scorer.process(record, new Outputs());
        assertThat(scorer.nextOffset()).isEqualTo(6);
        assertThatThrownBy(() -> scorer.process(record, new Outputs()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 5");
    }

    @Test
    void shouldRefuseStateOfATopicThatWasDeleted() {
        InMemoryStateStore store = new InMemoryStateStore();
        PartitionScorer scorer = new PartitionScorer("old", 2, store, 10);
        scorer.write(scorer.takeStep());
        assertThatThrownBy(() -> new PartitionScorer("new", 2, store, 10))
                .isInstanceOf(TopicChangedException.class)
                .hasMessageContaining("topic id old")
                .hasMessageContaining("id new");
    }
}
