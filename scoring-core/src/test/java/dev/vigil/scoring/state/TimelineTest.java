package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private static final EventLayout LAYOUT = new EventLayout("tx", List.of());

    private static StoredEvent event(long timeUs, long offset) {
        return new StoredEvent(LAYOUT, "/s", "e" + offset, timeUs, offset);
    }

    private static List<Block> blocks(Timeline timeline) {
        List<Block> blocks = new ArrayList<>();
        for (Block block = timeline.first(); block != null; block = block.next()) {
            blocks.add(block);
        }
        return blocks;
    }

    private static List<StoredEvent> events(Timeline timeline) {
        List<StoredEvent> events = new ArrayList<>();
        for (Block block : blocks(timeline)) {
            for (int i = 0; i < block.count(); i++) {
                events.add(block.event(i));
            }
        }
        return events;
    }

    private static byte[] runs(BlockRuns runs) {
        ByteSink sink = new ByteSink();
        runs.write(sink);
        return sink.toBytes();
    }

    private static BlockRuns gathered(Timeline timeline) {
        BlockRuns runs = new BlockRuns();
        blocks(timeline).forEach(block -> runs.append(block.id));
        return runs;
    }

    /** Against a sorted list, with events from anywhere, some of them forgotten in between, and labels. */
    @Test
    void shouldKeepTimeOrderAndTheIdsOfItsBlocks() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int back = 1 + random.nextInt(400);
            Timeline timeline = new Timeline(0);
            List<StoredEvent> expected = new ArrayList<>();
            for (int offset = 0; offset < 600; offset++) {
                StoredEvent event =
                        event(random.nextInt(10) < 3 ? offset - random.nextInt(back) : offset / 2 * 2, offset);
                timeline.insert(event);
                expected.add(event);
                expected.sort(Comparator.comparingLong(StoredEvent::timeUs).thenComparingLong(StoredEvent::offset));
                if (random.nextInt(50) == 0) {
                    timeline.prune(offset - random.nextInt(500), 1 + random.nextInt(3));
                    while (expected.size() > timeline.size()) {
                        assertThat(timeline.hasForgotten(expected.remove(0))).isTrue();
                    }
                }
                if (random.nextInt(50) == 0 && !expected.isEmpty()) {
                    StoredEvent touched = expected.get(random.nextInt(expected.size()));
                    timeline.drainChangedBlocks();
                    assertThat(timeline.label(touched, "fraud", true)).isTrue();
                    touched.label("fraud", false);
                    assertThat(timeline.drainChangedBlocks())
                            .singleElement()
                            .matches(block -> block.isLabelled(block.indexOf(touched.offset()), "fraud"));
                }
                if (random.nextInt(20) == 0) {
                    assertThat(events(timeline)).as("seed %d", seed).isEqualTo(expected);
                    assertThat(runs(timeline.runs())).as("seed %d", seed).isEqualTo(runs(gathered(timeline)));
                    assertThat(expected).as("seed %d", seed).allMatch(one -> one.equals(timeline.find(one)));
                    assertThat(expected).as("seed %d", seed).noneMatch(timeline::hasForgotten);
                }
            }
        }
    }

    /** Blocks that a little disorder splits would be half empty, and a head would name each of them. */
    @Test
    void shouldKeepBlocksFullWhereEventsComeALittleOutOfOrder() {
        Random random = new Random(1);
        Timeline timeline = new Timeline(0);
        for (int offset = 0; offset < 16_000; offset++) {
            timeline.insert(event(offset - (random.nextInt(50) == 0 ? random.nextInt(Block.CAPACITY) : 0), offset));
        }
        assertThat(blocks(timeline)).hasSizeBetween(1_000, 1_010);
        assertThat(runs(timeline.runs())).hasSizeLessThan(30);
    }

    @Test
    void shouldForgetSoManyBlocksAtATime() {
        Timeline timeline = new Timeline(0);
        for (int offset = 0; offset < 10 * Block.CAPACITY; offset++) {
            timeline.insert(event(offset, offset));
        }
        timeline.prune(Long.MAX_VALUE, 4);
        assertThat(blocks(timeline)).hasSize(6);
        assertThat(timeline.drainRemovedBlockIds()).containsExactly(0L, 1L, 2L, 3L);
        timeline.prune(5 * Block.CAPACITY - 1, 4);
        assertThat(blocks(timeline)).hasSize(5);
        timeline.prune(Long.MAX_VALUE, 5);
        assertThat(timeline.size()).isZero();
    }
}
