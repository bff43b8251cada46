package dev.vigil.launcher;

import dev.vigil.event.Alert;
import dev.vigil.event.Json;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * The alerts that the engine raises from a moment on, each once: those that it repeats after a restart are dropped, as
 * every consumer does. One thread.
 */
final class RaisedAlerts implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    /** Whoever is told. */
    interface Listener {
        /** @param raisedAtMs when the engine wrote the alert, ms since the epoch */
        void alerted(Alert alert, long raisedAtMs);
    }

    private record LogPartition(String topicId, int partition) {}

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final List<TopicPartition> partitions;
    private final Map<LogPartition, Long> passedOffsets = new HashMap<>();

    /** From now on. */
    RaisedAlerts(KafkaConfig kafka) {
        consumer = KafkaClients.consumer(kafka, "vigil-demo-alerts", Map.of());
        partitions = IntStream.range(0, kafka.partitions())
                .mapToObj(partition -> new TopicPartition(kafka.topics().alerts(), partition))
                .toList();
        try {
            consumer.assign(partitions);
            consumer.seekToEnd(partitions);
            partitions.forEach(consumer::position);
        } catch (KafkaException e) {
            consumer.close();
            throw unreadable(e);
        }
    }

    /** Tells of every alert that the broker has by now and that was not told of yet. */
    void readOn(Listener listener) {
        try {
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream()
                    .anyMatch(partition -> consumer.position(partition) < Offsets.of(partition, ends))) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    Alert alert = Json.decode(record.value(), Alert.class);
                    if (isNew(alert.position())) {
                        listener.alerted(alert, record.timestamp());
                    }
                }
            }
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    private boolean isNew(SourcePosition position) {
        LogPartition partition = new LogPartition(position.topicId(), position.partition());
        Long passed = passedOffsets.get(partition);
        if (passed != null && position.offset() <= passed) {
            return false;
        }
        passedOffsets.put(partition, position.offset());
        return true;
    }

    private static ServiceException unreadable(KafkaException e) {
        return new ServiceException("the alerts topic cannot be read: " + e.getMessage(), e);
    }

    @Override
    public void close() {
        consumer.close();
    }
}
