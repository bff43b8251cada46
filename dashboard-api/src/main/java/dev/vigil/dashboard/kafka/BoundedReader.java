package dev.vigil.dashboard.kafka;

import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads stretches of topics for somebody who waits: gives up, with a {@link ServiceException}, when the broker has told
 * nothing new for a few seconds. One thread.
 */
final class BoundedReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaConfig config;
    private final Duration patience;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private @Nullable Map<String, List<PartitionInfo>> topics;

    /** @param patience how long nothing may come */
    BoundedReader(KafkaConfig config, String clientId, Duration patience) {
        this.config = config;
        this.patience = patience;
        int patienceMs = Math.toIntExact(patience.toMillis());
        this.consumer = KafkaClients.consumer(
                config,
                clientId,
                Map.of(
                        ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
                        patienceMs,
                        ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        patienceMs,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        1 << 20,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        8 << 20,
                        // What retention took away meanwhile is passed over.
                        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                        "earliest"));
    }

    /** The partitions of a topic, in order; empty if there was no such topic when this was asked first. */
    List<TopicPartition> partitions(String topic) {
        if (topics == null) {
            topics = answer(consumer::listTopics);
        }
        return topics.getOrDefault(topic, List.of()).stream()
                .map(PartitionInfo::partition)
                .sorted()
                .map(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions) {
        return answer(() -> consumer.beginningOffsets(partitions));
    }

    Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return answer(() -> consumer.endOffsets(partitions));
    }

    /** Offset of the first record at or after a time, milliseconds since the epoch; null where there is none. */
    Map<TopicPartition, OffsetAndTimestamp> firstAfter(Map<TopicPartition, Long> timesMs) {
        return answer(() -> consumer.offsetsForTimes(timesMs));
    }

    /** Hands over the records of [from, to), in order. */
    void read(TopicPartition partition, long from, long to, Consumer<ConsumerRecord<byte[], byte[]>> each) {
        consumer.assign(List.of(partition));
        consumer.seek(partition, from);
        long lastNewsNs = System.nanoTime();
        long position = from;
        while (position < to) {
            for (ConsumerRecord<byte[], byte[]> record : answer(() -> consumer.poll(POLL))) {
                if (record.offset() < to) {
                    each.accept(record);
                }
            }
            long now = answer(() -> consumer.position(partition));
            if (now > position) {
                position = now;
                lastNewsNs = System.nanoTime();
            } else if (System.nanoTime() - lastNewsNs > patience.toNanos()) {
                throw silent(null);
            }
        }
    }

    private <T> T answer(Supplier<T> question) {
        try {
            return question.get();
        } catch (org.apache.kafka.common.errors.TimeoutException e) {
            throw silent(e);
        } catch (KafkaException e) {
            throw new ServiceException("Kafka at " + config.bootstrapServers() + ": " + e.getMessage(), e);
        }
    }

    private ServiceException silent(@Nullable Exception e) {
        String message =
                "no answer from Kafka at " + config.bootstrapServers() + " within " + patience.toSeconds() + " s";
        return e == null ? new ServiceException(message) : new ServiceException(message, e);
    }

    @Override
    public void close() {
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(1)));
    }
}
