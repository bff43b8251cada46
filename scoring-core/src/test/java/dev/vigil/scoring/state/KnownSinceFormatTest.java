package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.FieldType;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of what a task knows of its past, as docs/formats/state.md has them, and what becomes of others. */
class KnownSinceFormatTest {
    private static final EventLayout.Field AMOUNT = new EventLayout.Field("amount", FieldType.MONEY);

    private static InMemoryStateStore written() {
        InMemoryStateStore store = new InMemoryStateStore();
        TaskState task = TaskState.load(store);
        task.known().accepted(5);
        task.known().leaving(9, -3);
        task.known().declared(Map.of("tx", List.of(AMOUNT)), 7);
        task.pastPolicies().activated(300, 60_000_000, "policy: p");
        StateBatch batch = new StateBatch();
        task.collect(batch);
        store.write(batch);
        return store;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void shouldWriteTheDocumentedBytes() {
        InMemoryStateStore store = written();
        assertThat(hex(store.get(StateKeys.KNOWN_SINCE)))
                .isEqualTo("01" + "0000000000000005" + "fffffffffffffffd" + "0000000000000009"
                        + "01" + "027478" + "0000000000000009"
                        + "01" + "027478" + "06616d6f756e74" + "056d6f6e6579" + "0000000000000009");
        assertThat(hex(store.get(StateKeys.PAST_POLICIES)))
                .isEqualTo("02" + "01" + "d804" + "808ece1c" + "09706f6c6963793a2070" + "00");
    }

    @Test
    void shouldKeepSinceWhenAPolicyThatLeftWasComplete() {
        InMemoryStateStore store = written();
        TaskState task = TaskState.load(store);
        task.pastPolicies().leaving(Map.of("n", 7L));
        task.pastPolicies().activated(400, 1, "p2");
        StateBatch batch = new StateBatch();
        task.collect(batch);
        store.write(batch);
        assertThat(hex(store.get(StateKeys.PAST_POLICIES)))
                .isEqualTo("02" + "02" + "d804" + "808ece1c" + "09706f6c6963793a2070" + "01" + "01" + "016e"
                        + "0000000000000007" + "a006" + "01" + "027032" + "00");
        PastPolicies past = TaskState.load(store).pastPolicies();
        assertThat(past.at(301).completeSinceUs()).containsExactly(Map.entry("n", 7L));
        assertThat(past.at(401).completeSinceUs()).isNull();
    }

    @Test
    void shouldReadPastPoliciesOfTheFormatBefore() {
        InMemoryStateStore store = written();
        StateBatch batch = new StateBatch();
        batch.put(
                StateKeys.PAST_POLICIES,
                HexFormat.of().parseHex("01" + "01" + "d804" + "808ece1c" + "09706f6c6963793a2070"));
        store.write(batch);
        PastPolicies past = TaskState.load(store).pastPolicies();
        assertThat(past.at(301).text()).isEqualTo("policy: p");
        assertThat(past.at(301).completeSinceUs()).isNull();
    }

    @Test
    void shouldReadWhatItWroteAndWriteItNoMoreThanNeeded() {
        TaskState task = TaskState.load(written());
        assertThat(task.known().sinceUs("tx", List.of(AMOUNT))).isEqualTo(9);
        assertThat(task.known().hasEvents()).isTrue();
        assertThat(task.pastPolicies().at(301).text()).isEqualTo("policy: p");
        assertThat(task.pastPolicies().at(300)).isNull();
        task.known().accepted(6);
        StateBatch batch = new StateBatch();
        task.collect(batch);
        assertThat(batch.entries()).extracting(StateBatch.Entry::key).containsExactly(StateKeys.TASK);
    }

    @Test
    void shouldComplainOfDamageAndNothingElse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            InMemoryStateStore store = written();
            byte[] key = random.nextBoolean() ? StateKeys.KNOWN_SINCE : StateKeys.PAST_POLICIES;
            byte[] value = store.get(key);
            if (random.nextBoolean()) {
                value = Arrays.copyOf(value, random.nextInt(value.length));
            } else {
                value[random.nextInt(value.length)] = (byte) random.nextInt(256);
            }
            StateBatch batch = new StateBatch();
            batch.put(key, value);
            store.write(batch);
            try {
                TaskState.load(store);
            } catch (StateFormatException e) {
                assertThat(e.getMessage()).isNotEmpty();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + hex(key) + " = " + hex(value), e);
            }
        }
    }

    @Test
    void shouldNameAVersionThatItCannotRead() {
        InMemoryStateStore store = written();
        StateBatch batch = new StateBatch();
        batch.put(StateKeys.KNOWN_SINCE, new byte[] {2});
        store.write(batch);
        assertThatThrownBy(() -> TaskState.load(store))
                .isInstanceOf(StateFormatException.class)
                .hasMessageContaining("known-since of format 2; this version reads format 1");
    }
}
