package dev.vigil.alerting.kafka;

import dev.vigil.alerting.AlertRecord;
import dev.vigil.alerting.LogPartition;
import dev.vigil.alerting.Outbox;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads every partition of the alerts topic from where the outbox stands; nothing is committed to Kafka. No consumer
 * group: the positions are in this process's outbox, so one process reads the topic. Used by one thread, but for
 * {@link #wakeUp}.
 */
public final class AlertSource implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AlertSource.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final String topic;
    private final String topicId;
    private final KafkaConsumer<byte[], byte[]> consumer;

    public AlertSource(KafkaConfig kafka, String topicId) {
        this.topic = kafka.topics().alerts();
        this.topicId = topicId;
        this.consumer = KafkaClients.consumer(kafka, "vigil-alerting", Map.of());
        consumer.assign(IntStream.range(0, kafka.partitions())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList());
    }

    /**
     * Goes to the outbox's positions; to the start of partitions that it does not know.
     *
     * @throws ServiceException if the topic does not reach back to a position (or has lost its end), and that is not
     *     accepted
     */
    public void seek(Outbox outbox, boolean acceptGap) {
        try {
            Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(consumer.assignment());
            Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
            beginnings.forEach((partition, beginning) -> {
                OptionalLong stored = outbox.nextOffset(new LogPartition(topicId, partition.partition()));
                consumer.seek(partition, start(partition, stored, beginning, Offsets.of(partition, ends), acceptGap));
            });
        } catch (KafkaException e) {
            throw new ServiceException("topic " + topic + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private long start(TopicPartition partition, OptionalLong stored, long beginning, long end, boolean acceptGap) {
        if (stored.isEmpty()) {
            log.info("{}: not known to the outbox, read from its start at offset {}", partition, beginning);
            return beginning;
        }
        long next = stored.getAsLong();
        if (next >= beginning && next <= end) {
            return next;
        }
        String gap = "topic " + topic + ", partition " + partition.partition() + ": the outbox stands at offset " + next
                + ", the topic holds " + beginning + " to " + end;
        if (!acceptGap) {
            throw new ServiceException(
                    gap + "; alerts in between are gone, set alerting.accept-gap: true to go on without them");
        }
        log.warn("{}; going on from {}, as alerting.accept-gap says", gap, beginning);
        return beginning;
    }

    /** New records in offset order per partition; none after about a second without, or when woken. */
    public List<AlertRecord> poll() {
        try {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            List<AlertRecord> records = new ArrayList<>(polled.count());
            polled.forEach(record -> records.add(alertRecord(record)));
            return records;
        } catch (WakeupException e) {
            return List.of();
        } catch (OffsetOutOfRangeException e) {
            throw new ServiceException(
                    "topic " + topic + ": records were deleted before they were read, at "
                            + e.offsetOutOfRangePartitions(),
                    e);
        } catch (KafkaException e) {
            throw new ServiceException("topic " + topic + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static AlertRecord alertRecord(ConsumerRecord<byte[], byte[]> record) {
        Map<String, byte[]> headers = new HashMap<>();
        for (Header header : record.headers()) {
            headers.put(header.key(), header.value() == null ? new byte[0] : header.value());
        }
        byte[] value = record.value() == null ? new byte[0] : record.value();
        return new AlertRecord(record.partition(), record.offset(), record.key(), value, headers);
    }

    /** Ends a poll that waits; from any thread. */
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
