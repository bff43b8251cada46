package dev.vigil.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.scoring.state.TaskState.End;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Runs a scenario through {@link PartitionScorer}s: in one step; restored from a copy of the state after every record or
 * every few; with room for hardly any account in memory; and with crashes between emitting and writing. Every way must
 * give the same bytes, and counts that add up to the records read.
 */
final class PartitionScorerTester {
    static final String TOPIC_ID = "topic-1";
    static final int PARTITION = 3;
    private static final long PLENTY = 1_000_000;

    private final List<TestRecord> records = new ArrayList<>();
    private int recordsPerRestore = 1;
    private long policies;

    static PartitionScorerTester withPolicy(String yaml) {
        return new PartitionScorerTester().add(TestRecord.policy(yaml));
    }

    PartitionScorerTester add(TestRecord record) {
        records.add(record);
        policies += record.headers().containsValue("vigil.policy") ? 1 : 0;
        return this;
    }

    /** Long scenarios restore less often, since each restore compiles the policy again. */
    PartitionScorerTester restoreEvery(int count) {
        recordsPerRestore = count;
        return this;
    }

    /** Offset of the next record to be added. */
    int nextOffset() {
        return records.size();
    }

    List<TestRecord> records() {
        return records;
    }

    record Run(Outputs outputs, TaskState counts, CopyableStateStore store) {}

    /** Runs the scenario in every way and gives the outputs, which are the same. */
    Outputs run() {
        return runAll().outputs();
    }

    Run runAll() {
        Run plain = inOneStep();
        assertAddsUp(plain);
        int perStep = Math.max(1, recordsPerRestore / 10);
        assertSame("restored every " + recordsPerRestore, plain, stepping(perStep, 1, recordsPerRestore, PLENTY));
        assertSame("without memory", plain, stepping(perStep, 1, Integer.MAX_VALUE, 0));
        assertSame("little memory, steps written late", plain, stepping(perStep, 3, Integer.MAX_VALUE, 8));
        assertSame("crashing", plain, crashing(Math.max(2, recordsPerRestore)));
        return plain;
    }

    private Run inOneStep() {
        CopyableStateStore store = new CopyableStateStore();
        return inOneStep(store, scorer(store, PLENTY));
    }

    /** One step of a scorer whose timers never fire. */
    Run runWithoutTimers() {
        CopyableStateStore store = new CopyableStateStore();
        return inOneStep(store, new PartitionScorer(TOPIC_ID, PARTITION, store, PLENTY, null, 0));
    }

    private Run inOneStep(CopyableStateStore store, PartitionScorer scorer) {
        Outputs outputs = new Outputs();
        process(scorer, outputs, 0, records.size());
        scorer.write(scorer.takeStep());
        return new Run(outputs, scorer.counts(), store);
    }

    private Run stepping(int recordsPerStep, int stepsInFlight, int restoreEvery, long maxLiveEvents) {
        CopyableStateStore store = new CopyableStateStore();
        PartitionScorer scorer = scorer(store, maxLiveEvents);
        Outputs outputs = new Outputs();
        Deque<StateBatch> taken = new ArrayDeque<>();
        int sinceRestore = 0;
        for (int from = 0; from < records.size(); from += recordsPerStep) {
            int to = Math.min(records.size(), from + recordsPerStep);
            process(scorer, outputs, from, to);
            taken.add(scorer.takeStep());
            while (taken.size() >= stepsInFlight) {
                scorer.write(taken.remove());
            }
            sinceRestore += to - from;
            if (sinceRestore >= restoreEvery) {
                sinceRestore = 0;
                store = store.copy();
                scorer = scorer(store, maxLiveEvents);
            }
        }
        while (!taken.isEmpty()) {
            scorer.write(taken.remove());
        }
        return new Run(outputs, scorer.counts(), store);
    }

    /** Of every other step the outputs get out and the state does not. */
    private Run crashing(int recordsPerStep) {
        CopyableStateStore store = new CopyableStateStore();
        Outputs outputs = new Outputs();
        PartitionScorer scorer = scorer(store, PLENTY);
        for (int from = 0; from < records.size(); from += recordsPerStep) {
            int to = Math.min(records.size(), from + recordsPerStep);
            process(scorer, outputs, from, to);
            scorer.takeStep();
            List<Outputs.Output> emitted = List.copyOf(outputs.all());
            scorer = scorer(store, PLENTY);
            outputs.truncate(from);
            process(scorer, outputs, from, to);
            assertSameOutputs("again after a crash", emitted, outputs.all());
            scorer.write(scorer.takeStep());
        }
        return new Run(outputs, scorer.counts(), store);
    }

    private static PartitionScorer scorer(CopyableStateStore store, long maxLiveEvents) {
        return new PartitionScorer(TOPIC_ID, PARTITION, store, maxLiveEvents);
    }

    private void process(PartitionScorer scorer, Outputs outputs, int from, int to) {
        assertThat(scorer.nextOffset()).isEqualTo(from);
        LogRecord record = new LogRecord();
        for (int offset = from; offset < to; offset++) {
            records.get(offset).fill(record, offset);
            outputs.offset = offset;
            scorer.process(record, outputs);
        }
    }

    private void assertAddsUp(Run run) {
        long sum = 0;
        for (End end : End.values()) {
            sum += run.counts().count(end);
        }
        assertThat(sum).as("sum of the counts").isEqualTo(run.counts().read()).isEqualTo(records.size());
        assertThat((long) run.outputs().scored().size()).isEqualTo(run.counts().count(End.SCORED));
        assertThat((long) run.outputs().deadLetters().size())
                .isEqualTo(run.counts().count(End.DEAD_LETTERED));
        assertThat((long) run.outputs().corrected().size())
                .isEqualTo(run.counts().corrections());
        assertThat((long) run.outputs().summaries().size())
                .isEqualTo(run.counts().summaries());
        assertThat((long) run.outputs().alerts().size()).isEqualTo(run.counts().alerts());
    }

    private void assertSame(String way, Run expected, Run actual) {
        assertSameOutputs(way, expected.outputs().all(), actual.outputs().all());
        assertThat(actual.counts().watermarkUs())
                .as(way)
                .isEqualTo(expected.counts().watermarkUs());
        for (End end : End.values()) {
            assertThat(actual.counts().count(end))
                    .as(way)
                    .isEqualTo(expected.counts().count(end));
        }
        if (policies <= 1) {
            // Across policies events may stand in the layout in which they were last written.
            assertThat(actual.store().dump()).as(way).isEqualTo(expected.store().dump());
        }
    }

    /** Shows the first difference alone; the whole would fill pages. */
    private static void assertSameOutputs(String way, List<Outputs.Output> expected, List<Outputs.Output> actual) {
        for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
            assertThat(actual.get(i)).as(way).isEqualTo(expected.get(i));
        }
        assertThat(actual).as(way).hasSameSizeAs(expected);
    }
}
