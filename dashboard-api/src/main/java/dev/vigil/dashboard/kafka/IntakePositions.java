package dev.vigil.dashboard.kafka;

import dev.vigil.service.kafka.Offsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the intake stands in its topic: polls, commits what is acknowledged, and goes on where a position is of no use any more,
 * never at the end of the topic, which would jump over what nobody read. The intake's thread only.
 */
final class IntakePositions {
    private static final Logger LOG = LoggerFactory.getLogger(IntakePositions.class);
    private static final long COMMIT_EVERY_NS = 1_000_000_000L;

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final UnendedTransactions transactions;
    private final IntakeFigures figures;
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
    private long lastCommitNs = System.nanoTime();

    IntakePositions(KafkaConsumer<byte[], byte[]> consumer, UnendedTransactions transactions, IntakeFigures figures) {
        this.consumer = consumer;
        this.transactions = transactions;
        this.figures = figures;
    }

    /** The next records; none where a position had to be found first. */
    ConsumerRecords<byte[], byte[]> poll(Duration atMost) {
        try {
            return consumer.poll(atMost);
        } catch (NoOffsetForPartitionException e) {
            LOG.info("{}: nothing of it was read yet; reading from the beginning", e.partitions());
            consumer.seekToBeginning(e.partitions());
        } catch (LogTruncationException e) {
            e.divergentOffsets().forEach((partition, position) -> {
                LOG.warn(
                        "{}: the broker lost records that were read already, from offset {} on; reading on from there",
                        partition,
                        position.offset());
                consumer.seek(partition, position);
            });
            beginAgain(withoutKeysOf(e.offsetOutOfRangePartitions(), e.divergentOffsets()));
        } catch (OffsetOutOfRangeException e) {
            beginAgain(e.offsetOutOfRangePartitions());
        }
        return ConsumerRecords.empty();
    }

    private static Map<TopicPartition, Long> withoutKeysOf(
            Map<TopicPartition, Long> offsets, Map<TopicPartition, ?> other) {
        Map<TopicPartition, Long> rest = new HashMap<>(offsets);
        rest.keySet().removeAll(other.keySet());
        return rest;
    }

    /** Everything that is there counts as not read: what was is dropped by the engine as a duplicate. */
    private void beginAgain(Map<TopicPartition, Long> offsets) {
        Map<TopicPartition, Long> begins = consumer.beginningOffsets(offsets.keySet());
        offsets.forEach((partition, offset) -> {
            long begin = Offsets.of(partition, begins);
            if (begin > offset) {
                figures.missed(begin - offset);
                LOG.error(
                        "{}: expected to go on at offset {}, found {} as the first: {} records were removed before they were"
                                + " read; going on at {}",
                        partition,
                        offset,
                        begin,
                        begin - offset,
                        begin);
            } else {
                LOG.warn(
                        "{}: expected to go on at offset {}, found an earlier end: the topic was created again, or lost"
                                + " records; reading from the beginning",
                        partition,
                        offset);
            }
            consumer.seek(partition, begin);
        });
    }

    /** Everything before these positions is acknowledged. */
    void acknowledged(Map<TopicPartition, OffsetAndMetadata> positions) {
        positions.forEach((partition, position) -> {
            if (consumer.assignment().contains(partition)) {
                uncommitted.put(partition, position);
            }
        });
    }

    void commitNowAndThen() {
        long nowNs = System.nanoTime();
        if (uncommitted.isEmpty() || nowNs - lastCommitNs < COMMIT_EVERY_NS) {
            return;
        }
        lastCommitNs = nowNs;
        consumer.commitAsync(Map.copyOf(uncommitted), putBackIfItFails());
        uncommitted.clear();
    }

    /** Called within a later poll. */
    private OffsetCommitCallback putBackIfItFails() {
        return (positions, problem) -> {
            if (problem != null) {
                LOG.debug("positions were not committed, trying again: {}", problem.toString());
                positions.forEach((partition, position) -> {
                    if (consumer.assignment().contains(partition)) {
                        uncommitted.putIfAbsent(partition, position);
                    }
                });
            }
        };
    }

    /** What cannot be committed is read again by whoever reads on. */
    void commit(Duration atMost) {
        if (uncommitted.isEmpty()) {
            return;
        }
        try {
            commitOnce(atMost);
        } catch (WakeupException e) {
            commitOnce(atMost);
        }
    }

    private void commitOnce(Duration atMost) {
        try {
            consumer.commitSync(Map.copyOf(uncommitted), atMost);
            uncommitted.clear();
        } catch (WakeupException e) {
            throw e;
        } catch (KafkaException e) {
            LOG.warn("positions were not committed, so that records will be read again: {}", e.getMessage());
        }
    }

    /** Of partitions that now belong to somebody else. */
    void forget(java.util.Collection<TopicPartition> partitions) {
        uncommitted.keySet().removeAll(List.copyOf(partitions));
    }

    /** How far behind reading is, and whether something but Vigil holds it up. */
    void tell() {
        Long lag = 0L;
        Map<TopicPartition, Long> atTheEnd = new HashMap<>();
        for (TopicPartition partition : consumer.assignment()) {
            OptionalLong behind = consumer.currentLag(partition);
            lag = lag == null || behind.isEmpty() ? null : Long.valueOf(lag + behind.getAsLong());
            if (behind.isPresent() && behind.getAsLong() == 0) {
                atTheEnd.put(partition, consumer.position(partition));
            }
        }
        figures.position(consumer.assignment().size(), lag, transactions.look(atTheEnd));
    }
}
