package dev.vigil.engine.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.StateStore;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every store of a task's state has to do. */
abstract class StateStoreContract {
    private StateStore store;

    /** A new store, without values. */
    abstract StateStore open() throws Exception;

    @BeforeEach
    void openStore() throws Exception {
        store = open();
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void shouldHoldNothingBeforeTheFirstStep() {
        assertThat(store.get(bytes("key"))).isNull();
    }

    @Test
    void shouldHoldWhatAStepPut() {
        StateBatch step = new StateBatch();
        step.put(bytes("a"), bytes("1"));
        step.put(bytes("empty"), new byte[0]);
        assertThat(store.get(bytes("a"))).isNull();
        store.write(step);
        assertThat(store.get(bytes("a"))).isEqualTo(bytes("1"));
        assertThat(store.get(bytes("empty"))).isEmpty();
    }

    @Test
    void shouldForgetWhatAStepDeleted() {
        StateBatch first = new StateBatch();
        first.put(bytes("a"), bytes("1"));
        store.write(first);
        StateBatch second = new StateBatch();
        second.delete(bytes("a"));
        second.delete(bytes("never there"));
        store.write(second);
        assertThat(store.get(bytes("a"))).isNull();
    }

    @Test
    void shouldTakeTheLaterOfTwoChangesOfOneKeyInAStep() {
        StateBatch step = new StateBatch();
        step.put(bytes("put twice"), bytes("1"));
        step.put(bytes("put twice"), bytes("2"));
        step.put(bytes("deleted"), bytes("1"));
        step.delete(bytes("deleted"));
        step.delete(bytes("put"));
        step.put(bytes("put"), bytes("3"));
        store.write(step);
        assertThat(store.get(bytes("put twice"))).isEqualTo(bytes("2"));
        assertThat(store.get(bytes("deleted"))).isNull();
        assertThat(store.get(bytes("put"))).isEqualTo(bytes("3"));
    }

    @Test
    void shouldGiveAwayArraysThatTheCallerMayChange() {
        StateBatch step = new StateBatch();
        step.put(bytes("a"), bytes("1"));
        store.write(step);
        store.get(bytes("a"))[0] = 'x';
        assertThat(store.get(bytes("a"))).isEqualTo(bytes("1"));
    }

    @Test
    void shouldListKeysInOrderOfTheirUnsignedBytes() {
        StateBatch step = new StateBatch();
        for (int i : new int[] {0xFF, 0x7F, 0, 0x80, 5}) {
            step.put(new byte[] {'k', (byte) i}, bytes("v"));
        }
        step.put(bytes("j"), bytes("before"));
        step.put(bytes("l"), bytes("behind"));
        store.write(step);
        assertThat(keys(bytes("k"), bytes("l"), 10)).isEqualTo(List.of("6b00", "6b05", "6b7f", "6b80", "6bff"));
        assertThat(keys(new byte[] {'k', 5}, bytes("l"), 2)).isEqualTo(List.of("6b7f", "6b80"));
        assertThat(keys(new byte[] {'k', 6}, new byte[] {'k', (byte) 0x80}, 9)).isEqualTo(List.of("6b7f"));
        assertThat(keys(bytes("m"), bytes("n"), 9)).isEmpty();
        assertThat(keys(bytes("k"), bytes("l"), 0)).isEmpty();
    }

    private List<String> keys(byte[] after, byte[] before, int limit) {
        return store.keys(after, before, limit).stream()
                .map(HexFormat.of()::formatHex)
                .toList();
    }

    @Test
    void shouldListWhatIsThereOverManySteps() {
        long seed = 12;
        Random random = new Random(seed);
        TreeSet<String> expected = new TreeSet<>();
        for (int i = 0; i < 100; i++) {
            StateBatch step = new StateBatch();
            for (int change = 0; change < 20; change++) {
                String key = "k" + (100 + random.nextInt(900));
                if (random.nextBoolean()) {
                    step.delete(bytes(key));
                    expected.remove(key);
                } else {
                    step.put(bytes(key), bytes("v".repeat(100)));
                    expected.add(key);
                }
            }
            store.write(step);
            String after = "k" + (100 + random.nextInt(900));
            assertThat(store.keys(bytes(after), bytes("k950"), 7))
                    .as("seed %d, step %d, after %s", seed, i, after)
                    .usingElementComparator(Arrays::compareUnsigned)
                    .containsExactlyElementsOf(expected.tailSet(after, false).stream()
                            .filter(key -> key.compareTo("k950") < 0)
                            .limit(7)
                            .map(StateStoreContract::bytes)
                            .toList());
        }
    }

    @Test
    void shouldAgreeWithAMapOverManySteps() {
        long seed = 11;
        Random random = new Random(seed);
        Map<String, String> expected = new HashMap<>();
        for (int i = 0; i < 200; i++) {
            StateBatch step = new StateBatch();
            for (int change = 0; change < 50; change++) {
                String key = "k" + random.nextInt(1_000);
                if (random.nextInt(4) == 0) {
                    step.delete(bytes(key));
                    expected.remove(key);
                } else {
                    String value = "v".repeat(random.nextInt(200)) + i;
                    step.put(bytes(key), bytes(value));
                    expected.put(key, value);
                }
            }
            store.write(step);
        }
        for (int k = 0; k < 1_000; k++) {
            String value = expected.get("k" + k);
            assertThat(store.get(bytes("k" + k)))
                    .as("k%d, seed %d", k, seed)
                    .isEqualTo(value == null ? null : bytes(value));
        }
    }
}
