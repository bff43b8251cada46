package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.FieldType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdentityIndexTest {
    private static final EventLayout LAYOUT =
            new EventLayout("tx", List.of(new EventLayout.Field("amount", FieldType.MONEY)));

    /** Few identities crowd a small table; "Aa" and "BB" have one hash. */
    private static StoredEvent event(Random random, int identities) {
        int number = random.nextInt(identities);
        String id = (number % 2 == 0 ? "Aa" : "BB") + number / 2;
        return new StoredEvent(LAYOUT, random.nextInt(4) == 0 ? "/b" : "/a", id, 0, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 30, 200, 5_000})
    void shouldHoldWhatAMapHolds(int identities) {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        IdentityIndex index = new IdentityIndex(0);
        Map<StoredEvent, StoredEvent> map = new HashMap<>();
        for (int i = 0; i < 20_000; i++) {
            StoredEvent event = event(random, identities);
            switch (random.nextInt(3)) {
                case 0 -> {
                    index.put(event);
                    map.remove(event);
                    map.put(event, event);
                }
                case 1 -> {
                    StoredEvent there = map.get(event);
                    if (there != null && random.nextInt(4) > 0) {
                        map.remove(there);
                        index.remove(there);
                    } else {
                        index.remove(event); // another object: stays as it is
                    }
                }
                default -> assertThat(index.get(event)).as("seed %d", seed).isSameAs(map.get(event));
            }
        }
        map.keySet()
                .forEach(event ->
                        assertThat(index.get(event)).as("seed %d", seed).isSameAs(map.get(event)));
    }
}
