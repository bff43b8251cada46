package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.FieldType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The bytes of docs/formats/state.md, and what becomes of others. */
class StateFormatTest {
    private static final EventLayout LAYOUT = new EventLayout(
            "tx",
            List.of(
                    new EventLayout.Field("amount", FieldType.MONEY),
                    new EventLayout.Field("name", FieldType.STRING),
                    new EventLayout.Field("ratio", FieldType.DOUBLE)));

    private static InMemoryStateStore written() {
        InMemoryStateStore store = new InMemoryStateStore();
        TaskState task = TaskState.load(store);
        task.setTopicId("t1");
        EventLayout layout = task.layouts().activate(LAYOUT);
        EntityStates states = new EntityStates(store, task.layouts(), 1_000);
        EntityState state = states.get("acc");
        states.changed(state);
        StoredEvent event = new StoredEvent(layout, "/s", "e1", -1, 5);
        event.setNumber(0, 1_250);
        event.setText(0, "\u00e9");
        event.setNumber(1, Double.doubleToRawLongBits(0.5));
        state.timeline().insert(event);
        StoredEvent labelled = new StoredEvent(layout, "/s", "e2", 300, 6);
        labelled.label("fraud", true);
        state.timeline().insert(labelled);
        StoredEvent row = new StoredEvent(layout, "-", "-", 0, 7);
        state.setReference("account", row);
        task.saw(8, 10);
        task.startSummaries(Map.of("d", "x"));
        task.forget(100);
        task.passed(7, TaskState.End.SCORED);
        task.setPolicyText("policy: p");
        StateBatch batch = new StateBatch();
        states.collect(batch, 1);
        task.collect(batch);
        store.write(batch);
        return store;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static EntityState read(InMemoryStateStore store) {
        return new EntityStates(store, TaskState.load(store).layouts(), 1_000).get("acc");
    }

    @Test
    void shouldWriteTheDocumentedBytes() {
        InMemoryStateStore store = written();
        assertThat(store.size()).isEqualTo(4);
        StateKeys keys = new StateKeys();
        assertThat(hex(keys.head("acc"))).isEqualTo("6803616363");
        assertThat(hex(keys.block("acc", 0))).isEqualTo("62036163630000000000000000");
        assertThat(hex(store.get(keys.head("acc"))))
                .isEqualTo("01" + "01" + "01" + "0001" + "01" + "076163636f756e74" + "00000e" + "012d" + "012d" + "00");
        assertThat(hex(store.get(keys.block("acc", 0))))
                .isEqualTo("01" + "02" + "01" + "05"
                        + "00" + "00" + "00" + "022f73" + "026531" + "07" + "c413" + "02c3a9" + "3fe0000000000000"
                        + "03" + "da04" + "02" + "026532" + "01" + "056672617564" + "00");
        assertThat(hex(store.get(StateKeys.TASK)))
                .isEqualTo("02" + "027431" + "08" + "fffffffffffffffe" + "ffffffffffffff9a" + "0000000000000008"
                        + "01" + "00" + "00" + "00" + "07"
                        + "01000000000000"
                        + "01" + "027478" + "03" + "06616d6f756e74056d6f6e6579" + "046e616d6506737472696e67"
                        + "05726174696f06646f75626c65" + "01" + "0164" + "0178" + "0000000000000008");
        assertThat(new String(store.get(StateKeys.POLICY), StandardCharsets.UTF_8))
                .isEqualTo("policy: p");
    }

    @Test
    void shouldReadWhatItWrote() {
        EntityState state = read(written());
        Block block = state.timeline().first();
        assertThat(block.count()).isEqualTo(2);
        StoredEvent event = block.event(0);
        assertThat(List.of(event.source(), event.id(), event.timeUs(), event.offset()))
                .hasToString("[/s, e1, -1, 5]");
        assertThat(event.number(0)).isEqualTo(1_250);
        assertThat(event.text(0)).isEqualTo("\u00e9");
        assertThat(event.doubleValue(1)).isEqualTo(0.5);
        assertThat(block.event(1).isLabelled("fraud")).isTrue();
        assertThat(block.event(1).hasNumber(0)).isFalse();
        assertThat(state.reference("account")).isNotNull();
        TaskState task = TaskState.load(written());
        assertThat(List.of(task.topicId(), task.nextOffset(), task.watermarkUs(), task.read()))
                .hasToString("[t1, 8, -2, 1]");
        assertThat(task.policyText()).isEqualTo("policy: p");
    }

    @Test
    void shouldNameBothVersionsOfStateThatItCannotRead() {
        InMemoryStateStore store = written();
        for (byte[] key : List.of(StateKeys.TASK, new StateKeys().head("acc"), new StateKeys().block("acc", 0))) {
            InMemoryStateStore newer = written();
            byte[] value = store.get(key);
            value[0]++;
            put(newer, key, value);
            assertThatThrownBy(() -> read(newer))
                    .isInstanceOf(StateFormatException.class)
                    .hasMessageContaining(
                            "of format %d; this version reads format %d: start the Vigil version that wrote it",
                            value[0], value[0] - 1);
        }
    }

    private static void put(InMemoryStateStore store, byte[] key, byte[] value) {
        StateBatch batch = new StateBatch();
        batch.put(key, value);
        store.write(batch);
    }

    @Test
    void shouldNoticeAMissingBlock() {
        InMemoryStateStore store = written();
        StateBatch batch = new StateBatch();
        batch.delete(new StateKeys().block("acc", 0));
        store.write(batch);
        assertThatThrownBy(() -> read(store))
                .isInstanceOf(StateFormatException.class)
                .hasMessage("block 0 is missing");
    }

    /** Damage is not always noticed, but it never does anything else than being noticed or read as other values. */
    @Test
    void shouldComplainOfDamageAndNothingElse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<byte[]> keys = List.of(StateKeys.TASK, new StateKeys().head("acc"), new StateKeys().block("acc", 0));
        for (int i = 0; i < 5_000; i++) {
            InMemoryStateStore store = written();
            byte[] key = keys.get(random.nextInt(keys.size()));
            byte[] value = store.get(key);
            if (random.nextBoolean()) {
                value = Arrays.copyOf(value, random.nextInt(value.length));
            } else {
                value[random.nextInt(value.length)] = (byte) random.nextInt(256);
            }
            put(store, key, value);
            try {
                read(store);
            } catch (StateFormatException e) {
                assertThat(e.getMessage()).isNotEmpty();
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + hex(key) + " = " + hex(value), e);
            }
        }
    }
}
