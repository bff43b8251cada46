package dev.vigil.demo.chance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class DiceTest {
    /** SplitMix64 computed elsewhere: the first number for seed 42, and the finaliser of golden ratio + 2. */
    private static final double FIRST = 0.7415648787718233;

    private static final long HASH = -7541218347953203506L;

    @Test
    void shouldRollTheSameNumbersOnEveryJava() {
        Dice dice = new Dice(42);
        assertThat(dice.unit()).isEqualTo(FIRST);
        assertThat(Dice.hash(1, 2)).isEqualTo(HASH);
    }

    @Test
    void shouldKeepMeansAndBounds() {
        Dice dice = new Dice(7);
        double gaps = 0;
        double spreads = 0;
        for (int i = 0; i < 100_000; i++) {
            gaps += dice.gap(5);
            spreads += dice.spread(0.5);
            assertThat(dice.between(3, 5)).isBetween(3, 5);
        }
        assertThat(gaps / 100_000).isCloseTo(5, within(0.1));
        assertThat(spreads / 100_000).isCloseTo(1, within(0.02));
    }

    @Test
    void shouldPickByWeight() {
        Dice dice = new Dice(7);
        Weights weights = Weights.of(List.of(1.0, 0.0, 3.0), weight -> weight);
        int[] picked = new int[3];
        for (int i = 0; i < 40_000; i++) {
            picked[weights.pick(dice)]++;
        }
        assertThat(picked[0] / 10_000.0).isCloseTo(1, within(0.05));
        assertThat(picked[1]).isZero();
    }
}
