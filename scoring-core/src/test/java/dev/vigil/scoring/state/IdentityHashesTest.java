package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityHashesTest {
    /** A few of them would like to be in the same place; 0 is one like any other. */
    private static long hash(Random random, int count) {
        long number = random.nextInt(count);
        return number % 3 == 0 ? number << 32 : number;
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 30, 200, 5_000})
    void shouldHoldEachAsOftenAsItWasAddedAndNotTakenAway(int count) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        IdentityHashes hashes = new IdentityHashes(0);
        Map<Long, Integer> expected = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            long hash = hash(random, count);
            switch (random.nextInt(3)) {
                case 0 -> {
                    hashes.add(hash);
                    expected.merge(hash, 1, Integer::sum);
                }
                case 1 -> {
                    if (expected.containsKey(hash)) {
                        hashes.remove(hash);
                        expected.computeIfPresent(hash, (h, times) -> times == 1 ? null : times - 1);
                    }
                }
                default -> assertThat(hashes.contains(hash)).as("seed %d", seed).isEqualTo(expected.containsKey(hash));
            }
        }
        expected.keySet()
                .forEach(hash ->
                        assertThat(hashes.contains(hash)).as("seed %d", seed).isTrue());
    }
}
