package dev.vigil.alerting.kafka;

import dev.vigil.alerting.LogPartition;
import dev.vigil.alerting.Outbox;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the outbox what other instances have delivered, out of the topic of reports. Not closed between uses, since an instance
 * that delivers notes now and then how far the topic has come: all that is its own. Used by one thread.
 */
public final class ReportReader implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ReportReader.class);
    private static final Duration POLL = Duration.ofMillis(500);

    private final String topic;
    private final String topicId;
    private final Outbox outbox;
    private final KafkaConsumer<byte[], byte[]> consumer;

    public ReportReader(KafkaConfig kafka, String topicId, Outbox outbox) {
        this.topic = kafka.topics().deliveries();
        this.topicId = topicId;
        this.outbox = outbox;
        this.consumer = KafkaClients.consumer(kafka, "vigil-alerting-take-over", Map.of());
        consumer.assign(IntStream.range(0, kafka.partitions())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList());
    }

    /** From now on all reports are this instance's own. */
    public void passOver() {
        try {
            outbox.settle(List.of(), positions(consumer.endOffsets(consumer.assignment())));
        } catch (KafkaException e) {
            // The position stays where it is; more is read at the next take-over.
            log.debug("how far the reports have come is not noted", e);
        }
    }

    /**
     * Reads what was reported since this outbox delivered last, to the end that the topic has now.
     *
     * @param oldMs nothing that was attempted before is pending any more, ms since the epoch
     * @param goOn asked between two polls
     * @return whether it came to that end
     */
    public boolean readToEnd(long oldMs, BooleanSupplier goOn) {
        long startedNs = System.nanoTime();
        long count = 0;
        try {
            Set<TopicPartition> partitions = consumer.assignment();
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
            for (TopicPartition partition : partitions) {
                OptionalLong stored = outbox.nextOffset(logPartition(partition));
                long beginning = Offsets.of(partition, beginnings);
                // Of reports that are gone by retention, what they were about is too old to be delivered still.
                consumer.seek(partition, Math.max(stored.orElse(beginning), beginning));
            }
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                if (!goOn.getAsBoolean()) {
                    return false;
                }
                count += settle(consumer.poll(POLL), oldMs);
            }
        } catch (KafkaException e) {
            throw new ServiceException("topic " + topic + ": cannot be read: " + e.getMessage(), e);
        }
        log.info(
                "alerting: takes over; {} deliveries were made by others, read in {} ms",
                count,
                (System.nanoTime() - startedNs) / 1_000_000);
        return true;
    }

    private long settle(ConsumerRecords<byte[], byte[]> records, long oldMs) {
        List<Delivery> ended = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : records) {
            Delivery delivery = decode(record);
            if (delivery != null && isEnd(delivery) && (delivery.attemptedAtMs() >= oldMs || !isTaken(delivery))) {
                ended.add(delivery);
            }
        }
        Map<TopicPartition, Long> read = new HashMap<>();
        records.partitions().forEach(partition -> read.put(partition, consumer.position(partition)));
        outbox.settle(ended, positions(read));
        return ended.size();
    }

    private static boolean isEnd(Delivery delivery) {
        return delivery.endpoint() != null
                && (delivery.outcome() == Delivery.Outcome.DELIVERED
                        || delivery.outcome() == Delivery.Outcome.GIVEN_UP);
    }

    private boolean isTaken(Delivery delivery) {
        OptionalLong passed = outbox.passedOffset(LogPartition.of(delivery.position()));
        return passed.isPresent() && delivery.position().offset() <= passed.getAsLong();
    }

    private @Nullable Delivery decode(ConsumerRecord<byte[], byte[]> record) {
        try {
            return Json.decode(record.value(), Delivery.class);
        } catch (UncheckedIOException e) {
            log.warn(
                    "{}-{} at offset {}: no report of a delivery, passed over",
                    topic,
                    record.partition(),
                    record.offset());
            return null;
        }
    }

    private Map<LogPartition, Long> positions(Map<TopicPartition, Long> offsets) {
        Map<LogPartition, Long> positions = new HashMap<>();
        offsets.forEach((partition, offset) -> positions.put(logPartition(partition), offset));
        return positions;
    }

    private LogPartition logPartition(TopicPartition partition) {
        return new LogPartition(topicId, partition.partition());
    }

    @Override
    public void close() {
        consumer.close();
    }
}
