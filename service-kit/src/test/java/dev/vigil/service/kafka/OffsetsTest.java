package dev.vigil.service.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class OffsetsTest {
    private static final TopicPartition PARTITION = new TopicPartition("t", 3);

    @Test
    void shouldFindThePartitionsOffset() {
        assertThat(Offsets.of(PARTITION, Map.of(PARTITION, 7L, new TopicPartition("t", 4), 8L)))
                .isEqualTo(7);
    }

    @Test
    void shouldNameAPartitionThatTheAnswerLeavesOut() {
        assertThatThrownBy(() -> Offsets.of(PARTITION, Map.of())).hasMessageContaining("left out t-3");
    }
}
