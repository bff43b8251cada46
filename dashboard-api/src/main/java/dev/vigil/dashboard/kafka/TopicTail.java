package dev.vigil.dashboard.kafka;

import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows topics from a little before their end, on a thread of its own, for showing and never for keeping: no group, no
 * commits, and whoever is too slow skips ahead. Comes back by itself when the broker does.
 */
public final class TopicTail implements AutoCloseable {
    /** Called on the tail's thread, in partition order. */
    @FunctionalInterface
    public interface Listener {
        void onRecord(TailRecord record);
    }

    private static final Logger LOG = LoggerFactory.getLogger(TopicTail.class);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final long RETRY_MS = 1_000;

    private final KafkaConfig config;
    private final String name;
    private final List<String> topics;
    private final int backlog;
    private final long maxLagPerPartition;
    private final Listener listener;
    private final Thread thread;
    private volatile boolean closed;
    private volatile boolean following;
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;

    /**
     * @param backlog records of the past to begin with, over all partitions of a topic
     * @param maxLagPerPartition records behind the end from which on it skips to the end
     */
    public TopicTail(
            KafkaConfig config,
            String name,
            List<String> topics,
            int backlog,
            long maxLagPerPartition,
            Listener listener) {
        this.config = config;
        this.name = name;
        this.topics = List.copyOf(topics);
        this.backlog = backlog;
        this.maxLagPerPartition = maxLagPerPartition;
        this.listener = listener;
        this.thread = new Thread(this::run, "dashboard-tail-" + name);
    }

    public void start() {
        thread.start();
    }

    /** Whether it has found its place, so that every later record will be shown. */
    public boolean isFollowing() {
        return following;
    }

    private KafkaConsumer<byte[], byte[]> newConsumer() {
        return KafkaClients.consumer(
                config,
                "vigil-dashboard-" + name,
                Map.of(
                        ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                        1,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        2_000,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        1 << 20,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        8 << 20));
    }

    private void run() {
        int backlog = this.backlog;
        while (!closed) {
            try (KafkaConsumer<byte[], byte[]> current = newConsumer()) {
                consumer = current;
                if (!closed) {
                    follow(current, backlog);
                }
            } catch (WakeupException | InterruptException e) {
                closed = true;
            } catch (KafkaException e) {
                LOG.warn("{}: reading stopped, trying again: {}", thread.getName(), e.getMessage());
                pause();
            }
            following = false;
            backlog = 0;
        }
    }

    private void follow(KafkaConsumer<byte[], byte[]> current, int backlog) {
        List<TopicPartition> partitions = partitions(current);
        current.assign(partitions);
        Map<TopicPartition, Long> initialEnds =
                seek(current, partitions, backlog * topics.size() / partitions.size() + 1);
        following = true;
        while (!closed) {
            for (ConsumerRecord<byte[], byte[]> record : current.poll(POLL)) {
                TopicPartition partition = new TopicPartition(record.topic(), record.partition());
                boolean live = record.offset() >= initialEnds.getOrDefault(partition, 0L);
                listener.onRecord(TailRecord.of(record, live));
            }
            skipAheadIfSlow(current, partitions);
        }
    }

    private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> current) {
        List<TopicPartition> partitions = new ArrayList<>();
        for (String topic : topics) {
            current.partitionsFor(topic).forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        }
        return partitions;
    }

    private static Map<TopicPartition, Long> seek(
            KafkaConsumer<byte[], byte[]> current, List<TopicPartition> partitions, long perPartition) {
        Map<TopicPartition, Long> begins = current.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = new HashMap<>(current.endOffsets(partitions));
        ends.forEach((partition, end) ->
                current.seek(partition, Math.max(Offsets.of(partition, begins), end - perPartition)));
        return ends;
    }

    private void skipAheadIfSlow(KafkaConsumer<byte[], byte[]> current, List<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            long lag = current.currentLag(partition).orElse(0);
            if (lag > maxLagPerPartition) {
                LOG.debug("{}: {} records behind in {}, skipping to the end", thread.getName(), lag, partition);
                current.seekToEnd(List.of(partition));
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /** Stops the thread and waits for it. Idempotent. */
    @Override
    public void close() {
        closed = true;
        KafkaConsumer<byte[], byte[]> current = consumer;
        if (current != null) {
            current.wakeup();
        }
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
