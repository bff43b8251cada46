package dev.vigil.service.kafka;

import dev.vigil.event.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Event envelopes as Kafka records, CloudEvents binary mode. */
public final class EventRecords {
    private EventRecords() {}

    /** Keyed by the account, so that the partition follows from it (murmur2, as every Java producer does by default). */
    public static ProducerRecord<byte[], byte[]> keyed(String topic, EventEnvelope event) {
        return new ProducerRecord<>(
                topic, null, null, event.subject().getBytes(StandardCharsets.UTF_8), event.data(), headers(event));
    }

    /** A control record for one partition, without a key. */
    public static ProducerRecord<byte[], byte[]> control(String topic, int partition, EventEnvelope event) {
        return new ProducerRecord<>(topic, partition, null, null, event.data(), headers(event));
    }

    private static List<Header> headers(EventEnvelope event) {
        List<Header> headers = new ArrayList<>();
        event.headers().forEach((name, value) -> headers.add(new RecordHeader(name, value)));
        return headers;
    }
}
