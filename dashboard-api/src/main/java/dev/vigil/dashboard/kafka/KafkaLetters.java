package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.Refusal;
import dev.vigil.dashboard.intake.SentRecord;
import dev.vigil.event.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Refused records of the intake topic as records of the topic of dead letters. */
final class KafkaLetters {
    private KafkaLetters() {}

    static SentRecord sent(ConsumerRecord<byte[], byte[]> record) {
        List<SentRecord.Header> headers = new ArrayList<>();
        record.headers().forEach(header -> headers.add(new SentRecord.Header(header.key(), header.value())));
        return new SentRecord(record.key(), record.value(), headers);
    }

    static ProducerRecord<byte[], byte[]> letter(String topic, ConsumerRecord<byte[], byte[]> origin, Refusal refusal) {
        List<Header> headers = new ArrayList<>();
        for (SentRecord.Header header : refusal.record().headers()) {
            headers.add(new RecordHeader(header.name(), header.value()));
        }
        addOwn(headers, origin, refusal);
        return new ProducerRecord<>(
                topic, null, null, refusal.record().key(), refusal.record().value(), headers);
    }

    /** Of a record that is too large to be kept: where it stood, and why it is not here. */
    static ProducerRecord<byte[], byte[]> stub(String topic, ConsumerRecord<byte[], byte[]> origin, Refusal refusal) {
        List<Header> headers = new ArrayList<>();
        addOwn(headers, origin, refusal);
        return new ProducerRecord<>(topic, null, null, null, null, headers);
    }

    private static void addOwn(List<Header> headers, ConsumerRecord<byte[], byte[]> origin, Refusal refusal) {
        refusal.letter().headers().forEach((name, value) -> headers.add(new RecordHeader(name, value)));
        add(headers, DeadLetter.ORIGIN_HEADER, origin.topic() + ":" + origin.partition() + ":" + origin.offset());
        if (refusal.masked()) {
            add(headers, DeadLetter.MASKED_HEADER, "true");
        }
    }

    private static void add(List<Header> headers, String name, String value) {
        headers.add(new RecordHeader(name, value.getBytes(StandardCharsets.UTF_8)));
    }
}
