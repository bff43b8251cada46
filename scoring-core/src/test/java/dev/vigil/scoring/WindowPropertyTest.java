package dev.vigil.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vigil.event.ScoredEvent;
import dev.vigil.scoring.NaivePartition.Expected;
import dev.vigil.scoring.state.TaskState.End;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random policies over random streams against {@link NaiveWindows}: every feature, bit for bit, and what became of each
 * record. Some seeds are fixed, one is new in each run; {@code -Dvigil.seed=N} repeats one, {@code -Dvigil.seeds=N} tries
 * so many new ones.
 */
class WindowPropertyTest {
    static LongStream seeds() {
        return seeds(6);
    }

    static LongStream fewSeeds() {
        return seeds(1);
    }

    private static LongStream seeds(int fixed) {
        Long only = Long.getLong("vigil.seed");
        if (only != null) {
            return LongStream.of(only);
        }
        LongStream fresh = new Random().longs(Integer.getInteger("vigil.seeds", 1), 0, Long.MAX_VALUE);
        return LongStream.concat(LongStream.rangeClosed(1, fixed), fresh);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldAgreeWithTheOracleOnSmallAccounts(long seed) {
        RandomScenario scenario = new RandomScenario(seed, 5, 60, 30);
        scenario.changePolicy();
        for (int i = 0; i < 300; i++) {
            if (scenario.random.nextInt(80) == 0) {
                scenario.changePolicy();
            }
            scenario.event(1.0);
        }
        scenario.tester.restoreEvery(29);
        compare(seed, scenario);
    }

    @ParameterizedTest
    @MethodSource("fewSeeds")
    void shouldAgreeWithTheOracleOnHotAccounts(long seed) {
        RandomScenario scenario = new RandomScenario(seed, 3, 5, (int) (seed % 40));
        scenario.changePolicy();
        for (int i = 0; i < 1_500; i++) {
            if (scenario.random.nextInt(800) == 0) {
                scenario.changePolicy();
            }
            scenario.event(0.1);
        }
        scenario.tester.restoreEvery(701);
        compare(seed, scenario);
    }

    static PartitionScorerTester.Run compare(long seed, RandomScenario scenario) {
        PartitionScorerTester.Run run = scenario.tester.runAll();
        Map<End, Long> ends = new HashMap<>();
        scenario.expected.forEach(expected -> ends.merge(expected.end(), 1L, Long::sum));
        for (End end : End.values()) {
            assertThat(run.counts().count(end)).as("seed %d, %s", seed, end).isEqualTo(ends.getOrDefault(end, 0L));
        }
        List<ScoredEvent> scored = run.outputs().scored();
        for (ScoredEvent event : scored) {
            Expected expected = scenario.expected.get((int) event.position().offset());
            assertThat(expected.end()).as("seed %d, %s", seed, event).isEqualTo(End.SCORED);
            if (expected.comparable()) {
                compare(seed, expected, event);
            }
        }
        return run;
    }

    private static void compare(long seed, Expected expected, ScoredEvent event) {
        compare(seed, expected.features(), event);
    }

    static void compare(long seed, Map<String, Object> expected, ScoredEvent event) {
        TreeSet<String> names = new TreeSet<>(expected.keySet());
        names.addAll(event.features().keySet());
        for (String name : names) {
            Object oracle = expected.get(name);
            Object actual = event.features().get(name);
            if (!NaivePartition.same(oracle, actual, name.startsWith("speed"))) {
                fail(
                        "seed %d, offset %d, %s: the oracle says %s, found %s",
                        seed, event.position().offset(), name, oracle, actual);
            }
        }
    }
}
