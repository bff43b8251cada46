package dev.vigil.dashboard.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * What one poll of the intake topic brought, on its way to the broker: sent in order by the intake's thread, acknowledged on the
 * producer's. A position counts once everything before it in its partition is acknowledged.
 */
final class IntakeBatch {
    /** What a record of the intake becomes. */
    enum Output {
        EVENT,
        LETTER,
        /** A letter without the refused record, which is too large even for the topic of letters. */
        STUB
    }

    /** Told of each output that the broker has. Called by the producer's thread. */
    @FunctionalInterface
    interface Acknowledgements {
        void acknowledged(Output output, long eventTimeUs);
    }

    /** A record whose output no topic takes. */
    record TooLarge(ConsumerRecord<byte[], byte[]> origin, Output output) {}

    private final Acknowledgements acknowledgements;
    private final Map<TopicPartition, OffsetAndMetadata> handled = new HashMap<>();
    private final Map<TopicPartition, Long> failedFrom = new HashMap<>();
    /** By partition and offset, so that of several outputs of one record the largest counts. */
    private final Map<String, TooLarge> tooLarge = new TreeMap<>();

    private int unsettled;
    private @Nullable Exception failure;

    IntakeBatch(Acknowledgements acknowledgements) {
        this.acknowledgements = acknowledgements;
    }

    /**
     * Sends one output of a record.
     *
     * @param eventTimeUs of an event; else ignored
     * @return false if something of the batch failed: nothing more may be sent, or it would overtake what failed
     */
    boolean send(
            KafkaProducer<byte[], byte[]> producer,
            ProducerRecord<byte[], byte[]> record,
            ConsumerRecord<byte[], byte[]> origin,
            Output output,
            long eventTimeUs) {
        synchronized (this) {
            unsettled++;
        }
        try {
            var unused = producer.send(record, (at, problem) -> settle(origin, output, eventTimeUs, problem));
        } catch (KafkaException | IllegalStateException e) {
            settle(origin, output, eventTimeUs, e);
        }
        return !hasFailed();
    }

    private void settle(
            ConsumerRecord<byte[], byte[]> origin, Output output, long eventTimeUs, @Nullable Exception problem) {
        if (problem == null) {
            acknowledgements.acknowledged(output, eventTimeUs);
        }
        synchronized (this) {
            if (problem instanceof RecordTooLargeException && output != Output.STUB) {
                tooLarge.put(origin.partition() + ":" + origin.offset(), new TooLarge(origin, output));
            } else if (problem != null) {
                failure = failure == null ? problem : failure;
                failedFrom.merge(partition(origin), origin.offset(), Math::min);
            }
            unsettled--;
            notifyAll();
        }
    }

    /** Everything of the record was sent, or there was nothing to send. */
    synchronized void handled(ConsumerRecord<byte[], byte[]> record) {
        handled.put(partition(record), new OffsetAndMetadata(record.offset() + 1, record.leaderEpoch(), ""));
    }

    private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    synchronized boolean hasFailed() {
        return failure != null;
    }

    /** Why something was not taken by the broker; null while nothing failed. */
    synchronized @Nullable Exception failure() {
        return failure;
    }

    /** Waits until nothing is under way any more. @return false if something still is */
    synchronized boolean await(Duration atMost) {
        long deadlineNs = System.nanoTime() + atMost.toNanos();
        long leftMs = atMost.toMillis();
        while (unsettled > 0 && leftMs > 0) {
            try {
                wait(leftMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
        }
        return unsettled == 0;
    }

    /** Takes out what was too large, to send letters in its place. */
    synchronized List<TooLarge> takeTooLarge() {
        List<TooLarge> taken = new ArrayList<>(tooLarge.values());
        tooLarge.clear();
        return taken;
    }

    /** Of a settled batch: where each partition goes on, everything before being acknowledged. */
    synchronized Map<TopicPartition, OffsetAndMetadata> positions() {
        Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>(handled);
        failed().forEach((partition, offset) -> positions.put(partition, new OffsetAndMetadata(offset)));
        return positions;
    }

    /** Of a settled batch: partitions in which something has to be read again. */
    synchronized Set<TopicPartition> failedPartitions() {
        return Set.copyOf(failed().keySet());
    }

    /** What was too large and has no letter yet failed, too. */
    private Map<TopicPartition, Long> failed() {
        Map<TopicPartition, Long> failed = new HashMap<>(failedFrom);
        tooLarge.values()
                .forEach(record ->
                        failed.merge(partition(record.origin()), record.origin().offset(), Math::min));
        return failed;
    }
}
