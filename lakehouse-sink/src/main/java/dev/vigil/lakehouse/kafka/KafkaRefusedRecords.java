package dev.vigil.lakehouse.kafka;

import dev.vigil.event.DeadLetter;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.RawRecord;
import dev.vigil.lakehouse.RefusedRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * Sends refused records to {@code vigil.dead-letters} with key, value and headers as they were, and with where they stood
 * as {@link DeadLetter#ORIGIN_HEADER}. The producer starts with the first of them, which in a sound deployment never comes.
 */
public final class KafkaRefusedRecords implements RefusedRecords, AutoCloseable {
    private final KafkaConfig kafka;
    private final ConcurrentLinkedQueue<Future<RecordMetadata>> sent = new ConcurrentLinkedQueue<>();
    private @Nullable KafkaProducer<byte[], byte[]> producer;

    public KafkaRefusedRecords(KafkaConfig kafka) {
        this.kafka = kafka;
    }

    @Override
    public void refuse(HistoryTable table, RawRecord record, DeadLetter letter) {
        List<Header> headers = new ArrayList<>();
        record.headers().forEach((name, value) -> headers.add(new RecordHeader(name, value)));
        letter.headers().forEach((name, value) -> headers.add(new RecordHeader(name, value)));
        String origin = table.topic(kafka.topics()) + ":" + record.partition() + ":" + record.offset();
        headers.add(new RecordHeader(DeadLetter.ORIGIN_HEADER, origin.getBytes(StandardCharsets.UTF_8)));
        sent.add(producer()
                .send(new ProducerRecord<>(
                        kafka.topics().deadLetters(), null, null, record.key(), record.value(), headers)));
    }

    private synchronized KafkaProducer<byte[], byte[]> producer() {
        if (producer == null) {
            producer = KafkaClients.producer(kafka, "lakehouse-dead-letters", Map.of());
        }
        return producer;
    }

    @Override
    public void flush() {
        for (Future<RecordMetadata> letter = sent.poll(); letter != null; letter = sent.poll()) {
            try {
                letter.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException(
                        "a refused record did not reach " + kafka.topics().deadLetters(), e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while setting refused records aside", e);
            }
        }
    }

    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close(Duration.ofSeconds(2));
            producer = null;
        }
    }
}
