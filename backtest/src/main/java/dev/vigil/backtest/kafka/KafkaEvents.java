package dev.vigil.backtest.kafka;

import dev.vigil.backtest.EventSource;
import dev.vigil.backtest.RecordReceiver;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.scoring.LogRecord;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;

/**
 * A topic of the log, from its first record to its end as of the start of reading, one partition after the other.
 * Policy activations in it give way to the policy under test, which is active from the start. Joins no consumer group
 * and commits nothing, so that nobody notices. The log is read twice: first for its labels, which come later than the
 * events that they are about.
 */
public final class KafkaEvents implements EventSource {
    /** The policy under test takes offset 0. */
    private static final long OFFSET_SHIFT = 1;

    /** For labels first, then for everything. */
    private static final int PASSES = 2;

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofMillis(500);
    /** A broker that is away for a minute; the client itself waits forever. */
    private static final int MAX_EMPTY_POLLS = 120;

    private final KafkaConfig kafka;
    private final String topic;
    private final LogRecord record = new LogRecord();
    private long records;
    private final LogLabels labels = new LogLabels();
    private long recordsInAll;

    public KafkaEvents(KafkaConfig kafka, String topic) {
        this.kafka = kafka;
        this.topic = topic;
    }

    @Override
    public void read(RecordReceiver receiver) {
        try (KafkaConsumer<byte[], byte[]> consumer =
                KafkaClients.consumer(kafka, "vigil-backtest", Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000))) {
            List<TopicPartition> partitions = partitions(consumer);
            consumer.assign(partitions);
            consumer.pause(partitions);
            Map<TopicPartition, Long> begins = consumer.beginningOffsets(partitions, ANSWER_WITHIN);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions, ANSWER_WITHIN);
            begins.forEach(consumer::seek);
            partitions.forEach(partition ->
                    recordsInAll += PASSES * (Offsets.of(partition, ends) - Offsets.of(partition, begins)));
            for (TopicPartition partition : partitions) {
                readPartition(consumer, partition, Offsets.of(partition, ends), labels::add);
            }
            begins.forEach(consumer::seek);
            for (TopicPartition partition : partitions) {
                receiver.partition(partition.partition());
                readPartition(consumer, partition, Offsets.of(partition, ends), read -> hand(read, receiver));
            }
        } catch (KafkaException e) {
            throw new ServiceException("Kafka at " + kafka.bootstrapServers() + ": " + e.getMessage(), e);
        }
    }

    private List<TopicPartition> partitions(KafkaConsumer<byte[], byte[]> consumer) {
        if (!consumer.listTopics(ANSWER_WITHIN).containsKey(topic)) {
            throw new ServiceException("Kafka at " + kafka.bootstrapServers() + ": there is no topic '" + topic + "'");
        }
        List<TopicPartition> partitions = new ArrayList<>();
        consumer.partitionsFor(topic, ANSWER_WITHIN)
                .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
        partitions.sort(Comparator.comparingInt(TopicPartition::partition));
        return partitions;
    }

    private void readPartition(
            KafkaConsumer<byte[], byte[]> consumer,
            TopicPartition partition,
            long end,
            Consumer<ConsumerRecord<byte[], byte[]>> reader) {
        consumer.resume(List.of(partition));
        // By position, since transactions and compaction leave offsets without a record.
        int emptyPolls = 0;
        while (consumer.position(partition, ANSWER_WITHIN) < end) {
            ConsumerRecords<byte[], byte[]> polled = consumer.poll(POLL);
            emptyPolls = polled.isEmpty() ? emptyPolls + 1 : 0;
            if (emptyPolls > MAX_EMPTY_POLLS) {
                throw new ServiceException("Kafka at " + kafka.bootstrapServers() + ": partition "
                        + partition.partition() + " of " + topic + " gives no records any more before its end");
            }
            for (ConsumerRecord<byte[], byte[]> read : polled) {
                if (read.offset() < end) {
                    records++;
                    reader.accept(read);
                }
            }
        }
        consumer.pause(List.of(partition));
    }

    private void hand(ConsumerRecord<byte[], byte[]> read, RecordReceiver receiver) {
        long offset = read.offset() + OFFSET_SHIFT;
        if (EventTypes.POLICY.equals(LogLabels.header(read, EventEnvelope.TYPE_HEADER))) {
            receiver.replaced(offset);
            return;
        }
        record.begin(offset, read.timestamp(), read.key(), read.value());
        for (Header header : read.headers()) {
            record.header(header.key(), header.value());
        }
        receiver.record(record, labels.of(read));
    }

    @Override
    public String position(int partition, long offset) {
        return "partition " + partition + " offset " + (offset - OFFSET_SHIFT);
    }

    @Override
    public double progress() {
        return recordsInAll == 0 ? 1 : Math.min(1, (double) records / recordsInAll);
    }
}
