package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockRunsTest {
    private static final EventLayout LAYOUT =
            new EventLayout("tx", List.of(new EventLayout.Field("amount", FieldType.MONEY)));

    private static byte[] written(BlockRuns runs) {
        ByteSink sink = new ByteSink();
        runs.write(sink);
        return sink.toBytes();
    }

    private static List<Long> read(byte[] bytes) {
        ByteSource source = new ByteSource(bytes);
        List<Long> ids = new ArrayList<>();
        long id = 0;
        for (long runs = source.readVarint(); runs > 0; runs--) {
            id += source.readSigned();
            for (long length = source.readVarint(); length > 0; length--) {
                ids.add(id++);
            }
        }
        assertThat(source.isAtEnd()).isTrue();
        return ids;
    }

    @Test
    void shouldTellTheBlocksInTimeOrderHoweverTheyCameAndLeft() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        Timeline timeline = new Timeline(0);
        long nowUs = 0;
        for (int i = 0; i < 20_000; i++) {
            nowUs += 10;
            long timeUs = random.nextInt(20) == 0 ? nowUs - random.nextInt(2_000) : nowUs;
            timeline.insert(new StoredEvent(LAYOUT, "/s", "e" + i, timeUs, i));
            if (random.nextInt(50) == 0) {
                timeline.prune(nowUs - 10_000, Integer.MAX_VALUE);
            }
            if (random.nextInt(20) == 0) {
                List<Long> blocks = new ArrayList<>();
                for (Block block = timeline.first(); block != null; block = block.next()) {
                    blocks.add(block.id);
                }
                assertThat(read(written(timeline.runs()))).as("seed %d", seed).isEqualTo(blocks);
            }
        }
    }

    @Test
    void shouldStaySmallHoweverManyEventsComeInOrder() {
        Timeline timeline = new Timeline(0);
        for (int i = 0; i < 100_000; i++) {
            timeline.insert(new StoredEvent(LAYOUT, "/s", "e" + i, i, i));
        }
        assertThat(written(timeline.runs())).hasSizeLessThan(8);
    }
}
