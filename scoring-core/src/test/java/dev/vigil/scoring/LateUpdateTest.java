package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.DAY;
import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Decision;
import dev.vigil.event.ScoredEvent;
import dev.vigil.scoring.NaivePartition.Correction;
import dev.vigil.scoring.NaivePartition.Expected;
import dev.vigil.scoring.Outputs.Kind;
import dev.vigil.scoring.PartitionScorerTester.Run;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.TaskState.End;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Late events that are entered, and the scores that they change. 10 s out of order, 1 h late, 6 h for corrections. */
class LateUpdateTest {
    private static final String FEATURES =
            "features: {n: {count: tx, over: 2h}, last: {last: tx.merchant, over: 2h}}\n";

    private static PartitionScorerTester updating(String sections) {
        return PartitionScorerTester.withPolicy(
                policy(sections).replace("late: side_output", "late: update, correct_within: 6h"));
    }

    @Test
    void shouldScoreALateEventAndCorrectTheScoresThatItChanges() {
        Run run = updating(FEATURES)
                .add(tx("before", 0, "{\"merchant\": \"m1\"}"))
                .add(tx("behind", 90 * MINUTE, "{\"merchant\": \"m2\"}"))
                .add(tx("far", 5 * HOUR, "{\"merchant\": \"m3\"}"))
                .add(tx("late", HOUR, "{\"merchant\": \"m4\"}"))
                .add(tx("next", 5 * HOUR, "{}"))
                .runAll();
        assertThat(run.outputs().features("n")).containsExactly(1, 2, 1, 2, 2);
        ScoredEvent corrected = run.outputs().corrected().get(0);
        assertThat(run.outputs().corrected()).hasSize(1);
        assertThat(corrected.eventId()).isEqualTo("behind");
        assertThat(corrected.eventTimeUs()).isEqualTo(T0 + 90 * MINUTE);
        assertThat(corrected.features().toString()).isEqualTo("{n=3, last=m2}");
        assertThat(corrected.fields().toString()).isEqualTo("{merchant=m2}");
        assertThat(corrected.revision()).isEqualTo(2);
        assertThat(corrected.position()).isEqualTo(run.outputs().scored("late").position());
        assertThat(corrected.ingestTimeMs())
                .isEqualTo(run.outputs().scored("late").ingestTimeMs());
        assertThat(run.outputs().all()).extracting(Outputs.Output::kind).containsSequence(Kind.SCORED, Kind.CORRECTED);
        assertThat(run.counts().count(End.LATE)).isZero();
        assertThat(run.counts().count(End.SCORED)).isEqualTo(5);
    }

    @Test
    void shouldRaiseTheRevisionWithEachCorrection() {
        Outputs outputs = updating(FEATURES)
                .add(tx("a", 2 * HOUR, "{}"))
                .add(tx("far", 5 * HOUR, "{}"))
                .add(tx("late-1", HOUR, "{}"))
                .add(tx("late-2", 2 * HOUR, "{}"))
                .run();
        assertThat(outputs.corrected()).extracting(ScoredEvent::eventId).containsExactly("a", "a");
        assertThat(outputs.corrected()).extracting(ScoredEvent::revision).containsExactly(2L, 3L);
        assertThat(outputs.corrected().get(1).features()).containsEntry("n", 3);
        // The two at the same time both count, as they do for whatever comes after them.
        assertThat(outputs.feature("late-2", "n")).isEqualTo(3);
    }

    @Test
    void shouldNotAlertForCorrectionsButForTheLateEventItself() {
        Run run = updating(FEATURES + "rules: [{id: many, when: \"n > 1\", score: 90}]\ndecisions: [{decline: 80}]\n")
                .add(tx("a", 2 * HOUR, "{}"))
                .add(tx("far", 5 * HOUR, "{}").withAccount("other"))
                .add(tx("late", 2 * HOUR - MINUTE, "{}"))
                .add(tx("later", 2 * HOUR + MINUTE, "{}"))
                .runAll();
        assertThat(run.outputs().corrected()).extracting(ScoredEvent::eventId).containsExactly("a");
        assertThat(run.outputs().corrected().get(0).decision()).isEqualTo(Decision.DECLINE);
        assertThat(run.outputs().alerts()).extracting("eventId").containsExactly("later");
    }

    @Test
    void shouldSetAsideWhatIsTooOldToBePlacedExactly() {
        long oldest = DAY - 10_000_000 - 7 * HOUR;
        Run run = updating(FEATURES)
                .add(tx("a", DAY, "{}"))
                .add(tx("placed", oldest, "{}"))
                .add(tx("too-old", oldest - 1, "{}"))
                .runAll();
        assertThat(run.counts().count(End.LATE)).isOne();
        assertThat(run.outputs().counts()).containsEntry(Kind.LATE, 1L);
        assertThat(run.outputs().scored()).extracting(ScoredEvent::eventId).containsExactly("a", "placed");
    }

    /** What a policy before has forgotten cannot be corrected by the next one. */
    @Test
    void shouldSetAsideWhatAnEarlierPolicyHasNotKeptTheWindowsOf() {
        Run run = PartitionScorerTester.withPolicy(policy(FEATURES))
                .add(tx("a", DAY, "{}"))
                .add(TestRecord.policy(policy(FEATURES).replace("late: side_output", "late: update")))
                .add(tx("late", DAY - 2 * HOUR, "{}"))
                .add(tx("b", DAY + 6 * HOUR, "{}"))
                .add(tx("placed", DAY + HOUR, "{}"))
                .runAll();
        assertThat(run.counts().count(End.LATE)).isOne();
        assertThat(run.outputs().scored()).extracting(ScoredEvent::eventId).containsExactly("a", "b", "placed");
    }

    @Test
    void shouldSayFromWhenOnLateEventsAreEntered() {
        PartitionScorer scorer = new PartitionScorer("topic-1", 0, new InMemoryStateStore(), 1_000);
        List<TestRecord> records = List.of(
                TestRecord.policy(policy(FEATURES)),
                tx("a", DAY, "{}"),
                TestRecord.policy(policy(FEATURES).replace("late: side_output", "late: update")),
                tx("b", DAY, "{}"));
        List<Long> told = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            LogRecord record = new LogRecord();
            records.get(i).fill(record, i);
            scorer.process(record, new Outputs());
            told.add(scorer.lateEntersFromUs());
        }
        long enters = T0 + DAY - 10_000_000 - HOUR;
        assertThat(told).as("only where late events are entered").containsExactly(null, null, enters, enters);
    }

    @Test
    void shouldKnowALateEventAgainWhenItIsRedelivered() {
        Run run = updating(FEATURES)
                .add(tx("a", 5 * HOUR, "{}"))
                .add(tx("late", HOUR, "{}"))
                .add(tx("late", HOUR, "{}"))
                .runAll();
        assertThat(run.counts().count(End.DUPLICATE)).isOne();
    }

    @Test
    void shouldCorrectNothingForEventsOutOfOrderWithinTheLateness() {
        Outputs outputs = updating(FEATURES)
                .add(tx("a", HOUR, "{}"))
                .add(tx("b", HOUR - MINUTE, "{}"))
                .run();
        assertThat(outputs.corrected()).isEmpty();
    }

    /** Whatever was late: in the end the last record of each event says what it would say had all come in order. */
    @Test
    void shouldEndWithWhatTheOrderOfTimeWouldHaveGiven() {
        List<TestRecord> events = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            events.add(tx("e" + i, i * 9 * MINUTE, "{\"amount\": " + i + ", \"merchant\": \"m" + i % 5 + "\"}"));
        }
        String features = "features: {n: {count: tx, over: 2h}, max: {max: tx.amount, over: 1h, prior: true},"
                + " kinds: {distinct: tx.merchant, over: 90m, delay: 10m}, since: {elapsed_since: tx, over: 2h}}\n";
        List<String> inOrder = lastRecords(features, events);
        for (long seed = 1; seed <= 20; seed++) {
            List<TestRecord> shuffled = new ArrayList<>(events.subList(0, 39));
            java.util.Collections.shuffle(shuffled, new java.util.Random(seed));
            shuffled.add(0, events.get(39));
            List<String> last = lastRecords(features, shuffled);
            // Events within the lateness correct nothing, so that only those before it are comparable.
            assertThat(last).as("seed %d", seed).hasSameSizeAs(inOrder);
            assertThat(last.subList(0, 30)).as("seed %d", seed).isEqualTo(inOrder.subList(0, 30));
        }
    }

    private static List<String> lastRecords(String features, List<TestRecord> events) {
        PartitionScorerTester tester = updating(features);
        events.forEach(tester::add);
        java.util.Map<Long, String> last = new java.util.TreeMap<>();
        for (Outputs.Output output : tester.restoreEvery(17).run().all()) {
            if (output.kind() == Kind.SCORED || output.kind() == Kind.CORRECTED) {
                ScoredEvent event = dev.vigil.event.Json.decode(
                        output.text().getBytes(java.nio.charset.StandardCharsets.UTF_8), ScoredEvent.class);
                last.put(event.eventTimeUs(), event.eventId() + event.features());
            }
        }
        return new ArrayList<>(last.values());
    }

    @ParameterizedTest
    @MethodSource("dev.vigil.scoring.WindowPropertyTest#seeds")
    void shouldCorrectWhatTheOracleCorrects(long seed) {
        RandomScenario scenario = new RandomScenario(seed, 4, 60, 20);
        scenario.model.correctWithinUs = 15 * MINUTE;
        scenario.percentLate = 10;
        scenario.changePolicy();
        for (int i = 0; i < 300; i++) {
            if (scenario.random.nextInt(120) == 0) {
                scenario.changePolicy();
            }
            scenario.event(1.0);
        }
        scenario.tester.restoreEvery(29);
        Run run = WindowPropertyTest.compare(seed, scenario);
        assertThat(expectedCount(scenario)).as("corrections, seed %d", seed).isPositive();
        List<ScoredEvent> corrected = run.outputs().corrected();
        assertThat(corrected).as("seed %d", seed).hasSize(expectedCount(scenario));
        int next = 0;
        for (int offset = 0; offset < scenario.expected.size(); offset++) {
            Expected expected = scenario.expected.get(offset);
            for (Correction correction : expected.corrections()) {
                ScoredEvent event = corrected.get(next++);
                assertThat(event.position().offset()).as("seed %d", seed).isEqualTo(offset);
                assertThat(event.eventId())
                        .as("seed %d, offset %d", seed, offset)
                        .isEqualTo(correction.eventId());
                assertThat(event.revision()).as("seed %d", seed).isEqualTo(offset - correction.position());
                WindowPropertyTest.compare(seed, correction.features(), event);
            }
        }
    }

    private static int expectedCount(RandomScenario scenario) {
        return scenario.expected.stream()
                .mapToInt(expected -> expected.corrections().size())
                .sum();
    }
}
