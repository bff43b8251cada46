package dev.vigil.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.benchmarks.Rig.LongRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckpointSplitTest {
    @Test
    void shouldTellTheSecondsOfCheckpointsFromTheOthers() {
        CheckpointSplit split = new CheckpointSplit();
        for (long dueMs = 0; dueMs < 10_000; dueMs++) {
            split.event(dueMs, dueMs / 1_000);
        }
        split.checkpoints(List.of(new LongRange(2_999, 3_001)));
        split.checkpoints(List.of(new LongRange(2_999, 3_001), new LongRange(7_500, 7_501)));
        split.split();
        assertThat(split.duringUs().getTotalCount()).isEqualTo(3_000);
        assertThat(split.duringUs().getMinValue()).isEqualTo(2);
        assertThat(split.duringUs().getCountAtValue(3)).isEqualTo(1_000);
        assertThat(split.duringUs().getMaxValue()).isEqualTo(7);
        assertThat(split.withoutUs().getTotalCount()).isEqualTo(7_000);
        assertThat(split.withoutUs().getCountAtValue(4)).isEqualTo(1_000);
        assertThat(split.withoutUs().getCountAtValue(7)).isZero();
    }
}
