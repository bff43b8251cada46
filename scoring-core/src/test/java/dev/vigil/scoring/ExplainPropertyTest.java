package dev.vigil.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Decision;
import dev.vigil.event.Explanation;
import dev.vigil.event.Explanation.Contributor;
import dev.vigil.event.Explanation.Doubt;
import dev.vigil.event.Explanation.Feature;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import dev.vigil.scoring.NaivePartition.Expected;
import dev.vigil.scoring.state.InMemoryStateStore;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every event of random streams under random policies, explained while and after others came, in and out of order: the
 * values are bit for bit those of the record that was emitted, wherever no doubt is named, and the contributing events are
 * those of {@link NaiveWindows}. {@code -Dvigil.seed=N} repeats one.
 */
class ExplainPropertyTest {
    static LongStream seeds() {
        Long only = Long.getLong("vigil.seed");
        return only != null
                ? LongStream.of(only)
                : LongStream.concat(LongStream.rangeClosed(1, 5), LongStream.of(new Random().nextLong() >>> 1));
    }

    private record Emitted(ScoredEvent record, Map<String, Object> features) {}

    private final InMemoryStateStore store = new InMemoryStateStore();
    private final TreeMap<Long, Emitted> emitted = new TreeMap<>();
    private final Outputs outputs = new Outputs() {
        @Override
        public void scored(ScoredView view) {
            Map<String, Object> features = new LinkedHashMap<>();
            for (int i = 0; i < view.features().size(); i++) {
                features.put(view.features().get(i).name(), view.feature(i));
            }
            emitted.put(view.offset(), new Emitted(Json.decode(view.encode(), ScoredEvent.class), features));
        }
    };
    private int compared;
    private int doubted;

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldTellTheValuesOfTheEmittedRecord(long seed) {
        RandomScenario scenario = new RandomScenario(seed, 4, 60, 30);
        scenario.changePolicy();
        for (int i = 0; i < 400; i++) {
            if (scenario.random.nextInt(100) == 0) {
                scenario.changePolicy();
            }
            scenario.event(1.0);
        }
        run(seed, scenario);
        assertThat(compared).as("seed %d, features compared", seed).isGreaterThan(1_000);
        assertThat(doubted)
                .as("seed %d, doubted of %d", seed, compared + doubted)
                .isLessThan(compared);
    }

    private void run(long seed, RandomScenario scenario) {
        List<TestRecord> records = scenario.tester.records();
        PartitionScorer scorer = new PartitionScorer("topic-1", 0, store, 50);
        LogRecord record = new LogRecord();
        for (int offset = 0; offset < records.size(); offset++) {
            records.get(offset).fill(record, offset);
            scorer.process(record, outputs);
            if (scenario.random.nextInt(25) == 0) {
                scorer.write(scorer.takeStep());
                scorer = new PartitionScorer("topic-1", 0, store, 50);
            }
            if (!emitted.isEmpty() && scenario.random.nextInt(4) == 0) {
                List<Long> offsets =
                        new ArrayList<>(emitted.tailMap((long) offset - 40).keySet());
                if (!offsets.isEmpty()) {
                    compare(seed, scenario, scorer, offsets.get(scenario.random.nextInt(offsets.size())));
                }
            }
        }
        for (long offset : emitted.keySet()) {
            compare(seed, scenario, scorer, offset);
        }
    }

    private void compare(long seed, RandomScenario scenario, PartitionScorer scorer, long offset) {
        Emitted event = emitted.get(offset);
        ScoredEvent scored = event.record();
        Explanation explanation;
        try {
            explanation = scorer.look(scored.account(), offset).explain();
        } catch (CannotExplainException e) {
            assertThat(e.kind()).as("seed %d, %s", seed, e.getMessage()).isEqualTo(Kind.UNKNOWN);
            assertThat(e.getMessage()).contains("may have been forgotten");
            return;
        }
        String what = "seed " + seed + ", offset " + offset;
        assertThat(explanation.position()).as(what).isEqualTo(scored.position());
        assertThat(List.of(explanation.eventId(), explanation.policy(), explanation.policyVersion()))
                .as(what)
                .isEqualTo(List.of(scored.eventId(), scored.policy(), scored.policyVersion()));
        assertThat(explanation.features())
                .extracting(Feature::name)
                .containsExactlyElementsOf(event.features().keySet());
        Expected expected = scenario.expected.get((int) offset);
        for (Feature feature : explanation.features()) {
            compare(what + " " + feature, feature, event, expected);
        }
        if (explanation.exact()) {
            assertThat(explanation.decision())
                    .as(what)
                    .isEqualTo(Decision.APPROVE)
                    .isEqualTo(scored.decision());
        }
    }

    private void compare(String what, Feature feature, Emitted event, Expected expected) {
        if (!feature.doubts().isEmpty()) {
            doubted++;
            assertThat(Set.copyOf(feature.doubts())).as(what).isSubsetOf(EnumSet.of(Doubt.FORGOTTEN, Doubt.LABELS));
            if (!feature.doubts().equals(List.of(Doubt.LABELS))) {
                return;
            }
        } else {
            compared++;
            assertThat(feature.value()).as(what).isEqualTo(event.features().get(feature.name()));
        }
        if (expected.comparable()) {
            List<Long> all = expected.contributors().get(feature.name());
            assertThat(feature.window().count()).as(what).isEqualTo(all.size());
            List<Long> listed =
                    feature.window().events().stream().map(Contributor::offset).toList();
            int half = ScoredBefore.LISTED;
            List<Long> bounded = new ArrayList<>(all.size() <= 2 * half ? all : all.subList(0, half));
            if (all.size() > 2 * half) {
                bounded.addAll(all.subList(all.size() - half, all.size()));
            }
            assertThat(listed).as(what).isEqualTo(bounded);
        }
    }
}
