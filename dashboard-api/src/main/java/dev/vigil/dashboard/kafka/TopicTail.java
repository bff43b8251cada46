package dev.vigil.dashboard.kafka;

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
import org.apache.kafka.common.TopicPartition;
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

    private final String name;
    private final List<String> topics;
    private final long maxLagPerPartition;
    private final Listener listener;
    private final ReadLoop loop;
    /** Still to begin with; what was shown before the broker went away is not shown again. */
    private int backlog;

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
        this.name = name;
        this.topics = List.copyOf(topics);
        this.backlog = backlog;
        this.maxLagPerPartition = maxLagPerPartition;
        this.listener = listener;
        this.loop = new ReadLoop(
                config,
                "vigil-dashboard-" + name,
                "dashboard-tail-" + name,
                Map.of(
                        ConsumerConfig.FETCH_MIN_BYTES_CONFIG,
                        1,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        2_000,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        1 << 20,
                        ConsumerConfig.FETCH_MAX_BYTES_CONFIG,
                        8 << 20),
                this::follow);
    }

    public void start() {
        loop.start();
    }

    private void follow(KafkaConsumer<byte[], byte[]> current) {
        List<TopicPartition> partitions = partitions(current);
        current.assign(partitions);
        Map<TopicPartition, Long> initialEnds =
                seek(current, partitions, backlog * topics.size() / partitions.size() + 1);
        backlog = 0;
        while (!loop.isClosed()) {
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
                LOG.debug("{}: {} records behind in {}, skipping to the end", name, lag, partition);
                current.seekToEnd(List.of(partition));
            }
        }
    }

    /** Stops the thread and waits for it. Idempotent. */
    @Override
    public void close() {
        loop.close();
    }
}
