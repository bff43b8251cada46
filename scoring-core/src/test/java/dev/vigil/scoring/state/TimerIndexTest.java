package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.scoring.state.TimerIndex.Timer;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TimerIndexTest {
    private static final Comparator<Timer> ORDER = Comparator.comparingLong(Timer::timeUs)
            .thenComparing(timer -> timer.name().length())
            .thenComparing(Timer::name)
            .thenComparing(timer -> timer.entity().length())
            .thenComparing(Timer::entity);

    /** Against a sorted set, with steps written late, restarts, and room for hardly any timer in memory. */
    @Test
    void shouldAgreeWithASortedSet() {
        for (long seed = 1; seed <= 60; seed++) {
            Random random = new Random(seed);
            int maxLoaded = 1 + random.nextInt(5);
            InMemoryStateStore store = new InMemoryStateStore();
            TimerIndex index = new TimerIndex(store, TimerIndex.IDLE, maxLoaded);
            TreeSet<Timer> expected = new TreeSet<>(ORDER);
            Deque<StateBatch> taken = new ArrayDeque<>();
            for (int i = 0; i < 600; i++) {
                switch (random.nextInt(8)) {
                    case 0 -> {
                        StateBatch step = new StateBatch();
                        index.collect(step);
                        taken.add(step);
                    }
                    case 1 -> write(store, index, taken);
                    case 2, 3 -> {
                        if (!expected.isEmpty()) {
                            assertThat(index.takeNext()).as("seed %d", seed).isEqualTo(expected.pollFirst());
                        }
                    }
                    default -> {
                        Timer timer = random(random);
                        assertThat(index.isSet(timer.timeUs(), timer.name(), timer.entity()))
                                .as("seed %d", seed)
                                .isEqualTo(expected.contains(timer));
                        index.set(timer.timeUs(), timer.name(), timer.entity());
                        expected.add(timer);
                    }
                }
                assertThat(index.nextUs())
                        .as("seed %d", seed)
                        .isEqualTo(
                                expected.isEmpty()
                                        ? Long.MAX_VALUE
                                        : expected.first().timeUs());
                if (random.nextInt(40) == 0) {
                    StateBatch step = new StateBatch();
                    index.collect(step);
                    taken.add(step);
                    while (!taken.isEmpty()) {
                        write(store, index, taken);
                    }
                    assertThat(store.size()).as("seed %d", seed).isEqualTo(expected.size());
                    index = new TimerIndex(store, TimerIndex.IDLE, maxLoaded);
                }
            }
            while (!expected.isEmpty()) {
                assertThat(index.takeNext()).as("seed %d", seed).isEqualTo(expected.pollFirst());
            }
        }
    }

    private static void write(InMemoryStateStore store, TimerIndex index, Deque<StateBatch> taken) {
        if (!taken.isEmpty()) {
            store.write(taken.remove());
            index.written();
        }
    }

    private static Timer random(Random random) {
        return new Timer(random.nextInt(40) - 20, "n".repeat(random.nextInt(2)), "a" + random.nextInt(12));
    }

    /** docs/formats/state.md */
    @Test
    void shouldWriteTheDocumentedBytes() {
        InMemoryStateStore store = new InMemoryStateStore();
        TimerIndex index = new TimerIndex(store, TimerIndex.IDLE);
        index.set(-1, "", "acc");
        StateBatch step = new StateBatch();
        index.collect(step);
        store.write(step);
        byte[] key = store.keys(new byte[] {'i'}, new byte[] {'j'}, 2).get(0);
        assertThat(HexFormat.of().formatHex(key)).isEqualTo("69" + "7fffffffffffffff" + "00" + "03616363");
        assertThat(store.get(key)).containsExactly(1);
    }
}
