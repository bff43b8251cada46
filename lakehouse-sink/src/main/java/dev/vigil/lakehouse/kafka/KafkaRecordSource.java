package dev.vigil.lakehouse.kafka;

import dev.vigil.lakehouse.RawRecord;
import dev.vigil.lakehouse.RecordSource;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import dev.vigil.service.kafka.TopicSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Every partition of one topic. No consumer group: positions are the table's business, and a group would move partitions
 * behind its back.
 */
public final class KafkaRecordSource implements RecordSource {
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private final KafkaConfig kafka;
    private final String topic;
    private final String clientId;
    private @Nullable KafkaConsumer<byte[], byte[]> consumer;
    private List<TopicPartition> partitions = List.of();

    public KafkaRecordSource(KafkaConfig kafka, String topic, String clientId) {
        this.kafka = kafka;
        this.topic = topic;
        this.clientId = clientId;
    }

    @Override
    public String connect() {
        close();
        String topicId;
        try (Admin admin = KafkaClients.admin(kafka, clientId + "-admin")) {
            topicId = TopicSetup.ensure(admin, kafka).get(topic);
        } catch (ServiceException e) {
            if (e.getCause() == null) {
                throw e;
            }
            // The broker did not answer: it will, and until then the topic keeps everything.
            throw new IllegalStateException(e.getMessage(), e);
        }
        if (topicId == null) {
            throw new IllegalStateException("the broker does not know topic " + topic);
        }
        KafkaConsumer<byte[], byte[]> opened = KafkaClients.consumer(
                kafka,
                clientId,
                Map.of(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000, ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 16 << 20));
        consumer = opened;
        partitions = opened.partitionsFor(topic, ANSWER_WITHIN).stream()
                .map(info -> new TopicPartition(topic, info.partition()))
                .toList();
        opened.assign(partitions);
        return topicId;
    }

    @Override
    public void seek(Map<Integer, Long> next, boolean acceptGap) {
        KafkaConsumer<byte[], byte[]> connected = connected();
        Map<TopicPartition, Long> beginnings = connected.beginningOffsets(partitions, ANSWER_WITHIN);
        Map<TopicPartition, Long> ends = connected.endOffsets(partitions, ANSWER_WITHIN);
        for (TopicPartition partition : partitions) {
            long beginning = Offsets.of(partition, beginnings);
            long end = Offsets.of(partition, ends);
            Long wanted = next.get(partition.partition());
            long offset = wanted == null ? beginning : wanted;
            if (offset < beginning || offset > end) {
                if (!acceptGap) {
                    throw new ServiceException("topic " + topic + ", partition " + partition.partition()
                            + ": expected offset " + offset + ", where history ends, found " + beginning + " to " + end
                            + "; records were removed before they were read. Set lakehouse.accept-gap: true to go on"
                            + " without them");
                }
                offset = beginning;
            }
            connected.seek(partition, offset);
        }
    }

    @Override
    public List<RawRecord> poll(Duration timeout) {
        List<RawRecord> records = new ArrayList<>();
        for (ConsumerRecord<byte[], byte[]> record : connected().poll(timeout)) {
            records.add(new RawRecord(
                    record.partition(),
                    record.offset(),
                    record.timestamp(),
                    record.key(),
                    record.value(),
                    headers(record)));
        }
        return records;
    }

    private static Map<String, byte[]> headers(ConsumerRecord<byte[], byte[]> record) {
        Map<String, byte[]> headers = new HashMap<>();
        for (Header header : record.headers()) {
            if (header.value() != null) {
                headers.put(header.key(), header.value());
            }
        }
        return headers;
    }

    @Override
    public Map<Integer, Long> endOffsets() {
        Map<Integer, Long> ends = new HashMap<>();
        connected()
                .endOffsets(partitions, ANSWER_WITHIN)
                .forEach((partition, end) -> ends.put(partition.partition(), end));
        return ends;
    }

    @Override
    public boolean reached(Map<Integer, Long> ends) {
        KafkaConsumer<byte[], byte[]> connected = connected();
        for (TopicPartition partition : partitions) {
            if (connected.position(partition, ANSWER_WITHIN) < ends.getOrDefault(partition.partition(), 0L)) {
                return false;
            }
        }
        return true;
    }

    private KafkaConsumer<byte[], byte[]> connected() {
        if (consumer == null) {
            throw new IllegalStateException("topic " + topic + " is not connected");
        }
        return consumer;
    }

    @Override
    public void close() {
        if (consumer != null) {
            consumer.close(org.apache.kafka.clients.consumer.CloseOptions.timeout(Duration.ofSeconds(2)));
            consumer = null;
        }
    }
}
