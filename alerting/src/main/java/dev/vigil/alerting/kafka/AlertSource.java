package dev.vigil.alerting.kafka;

import dev.vigil.alerting.IntakeRecord;
import dev.vigil.alerting.LogPartition;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.RecordMerge;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
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
 * Reads every partition of the alerts topic and of the topic of actions from where the outbox stands; nothing is committed to
 * Kafka. No consumer group: the positions are in this process's outbox, so one process reads the topics. Used by one thread,
 * but for {@link #wakeUp}.
 */
public final class AlertSource implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(AlertSource.class);
    private static final Duration POLL = Duration.ofSeconds(1);

    private final String actionsTopic;
    private final Map<String, String> topicIds;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final RecordMerge merge = new RecordMerge();

    public AlertSource(KafkaConfig kafka, String alertsTopicId, String actionsTopicId) {
        this.actionsTopic = kafka.topics().caseActions();
        this.topicIds = Map.of(kafka.topics().alerts(), alertsTopicId, actionsTopic, actionsTopicId);
        this.consumer = KafkaClients.consumer(kafka, "vigil-alerting", Map.of());
        consumer.assign(IntStream.range(0, kafka.partitions())
                .boxed()
                .flatMap(partition -> topicIds.keySet().stream().map(topic -> new TopicPartition(topic, partition)))
                .toList());
    }

    /**
     * Goes to the outbox's positions; to the start of partitions that it does not know.
     *
     * @throws ServiceException if a topic does not reach back to a position (or has lost its end), and that is not
     *     accepted
     */
    public void seek(Outbox outbox, boolean acceptGap) {
        merge.clear();
        try {
            consumer.resume(consumer.paused());
            Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(consumer.assignment());
            Map<TopicPartition, Long> ends = consumer.endOffsets(consumer.assignment());
            beginnings.forEach((partition, beginning) -> {
                OptionalLong stored = outbox.nextOffset(logPartition(partition));
                long end = Offsets.of(partition, ends);
                long start = start(partition, stored, beginning, end, acceptGap);
                consumer.seek(partition, start);
                merge.expect(kind(partition.topic()), partition.partition(), end);
                merge.reached(kind(partition.topic()), partition.partition(), start);
            });
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    private LogPartition logPartition(TopicPartition partition) {
        String topicId = Objects.requireNonNull(topicIds.get(partition.topic()), partition.topic());
        return new LogPartition(topicId, partition.partition());
    }

    private IntakeRecord.Kind kind(String topic) {
        return topic.equals(actionsTopic) ? IntakeRecord.Kind.ACTION : IntakeRecord.Kind.ALERT;
    }

    private static long start(
            TopicPartition partition, OptionalLong stored, long beginning, long end, boolean acceptGap) {
        if (stored.isEmpty()) {
            log.info("{}: not known to the outbox, read from its start at offset {}", partition, beginning);
            return beginning;
        }
        long next = stored.getAsLong();
        if (next >= beginning && next <= end) {
            return next;
        }
        String gap = "topic " + partition.topic() + ", partition " + partition.partition()
                + ": the outbox stands at offset " + next + ", the topic holds " + beginning + " to " + end;
        if (!acceptGap) {
            throw new ServiceException(
                    gap + "; records in between are gone, set alerting.accept-gap: true to go on without them");
        }
        log.warn("{}; going on from {}, as alerting.accept-gap says", gap, beginning);
        return beginning;
    }

    /**
     * New records in the order in which they are to be taken; none after about a second without, when woken, or while some
     * that may have to come before them are still to be read.
     */
    public List<IntakeRecord> poll() {
        try {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            polled.forEach(record -> merge.add(intakeRecord(record)));
            for (TopicPartition partition : consumer.assignment()) {
                merge.reached(kind(partition.topic()), partition.partition(), consumer.position(partition));
            }
            List<IntakeRecord> records = merge.take();
            keepToItsRoom();
            return records;
        } catch (WakeupException e) {
            return List.of();
        } catch (OffsetOutOfRangeException e) {
            throw new ServiceException(
                    "records were deleted before they were read, at " + e.offsetOutOfRangePartitions(), e);
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    private void keepToItsRoom() {
        Map<Boolean, List<TopicPartition>> byRoom = consumer.assignment().stream()
                .collect(Collectors.partitioningBy(
                        partition -> merge.hasRoom(kind(partition.topic()), partition.partition())));
        consumer.resume(byRoom.getOrDefault(true, List.of()));
        consumer.pause(byRoom.getOrDefault(false, List.of()));
    }

    private ServiceException unreadable(KafkaException e) {
        return new ServiceException("topics " + topicIds.keySet() + ": cannot be read: " + e.getMessage(), e);
    }

    private IntakeRecord intakeRecord(ConsumerRecord<byte[], byte[]> record) {
        Map<String, byte[]> headers = new HashMap<>();
        for (Header header : record.headers()) {
            headers.put(header.key(), header.value() == null ? new byte[0] : header.value());
        }
        byte[] value = record.value() == null ? new byte[0] : record.value();
        return new IntakeRecord(
                kind(record.topic()),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                value,
                headers);
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
