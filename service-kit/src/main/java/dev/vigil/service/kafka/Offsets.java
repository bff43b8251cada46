package dev.vigil.service.kafka;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Offsets out of a broker's answer, which holds one for every partition that was asked about, or is an exception. */
public final class Offsets {
    private Offsets() {}

    /** @param answer to a question about this partition, among others */
    public static long of(TopicPartition partition, Map<TopicPartition, Long> answer) {
        return Objects.requireNonNull(answer.get(partition), () -> "the broker left out " + partition);
    }

    /** One past the partition's last record. Asks the broker, and waits as long as the consumer's settings say. */
    public static long end(Consumer<?, ?> consumer, TopicPartition partition) {
        return of(partition, consumer.endOffsets(List.of(partition)));
    }
}
