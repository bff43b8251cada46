package dev.vigil.alerting.kafka;

import dev.vigil.alerting.NumberedRecord;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutgoingRecord;
import dev.vigil.event.TopicNames;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings what the outbox owes to Kafka, in order, and strikes it off when the broker has it. A crash in between repeats
 * records: a delivery report is known by alert, endpoint, attempt and outcome. While the broker is away, records wait in
 * the outbox, on disk. Used by one thread.
 */
public final class RecordPublisher implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RecordPublisher.class);
    private static final int BATCH_MAX = 500;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final Outbox outbox;
    private final TopicNames topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private long publishedSeq;

    public RecordPublisher(KafkaConfig kafka, Outbox outbox) {
        this.outbox = outbox;
        this.topics = kafka.topics();
        this.producer = KafkaClients.producer(kafka, "vigil-alerting-reports", Map.of());
    }

    /**
     * Publishes one batch; waits for the broker.
     *
     * @return false if there was nothing
     * @throws ServiceException if the broker refuses a record for good
     */
    public boolean publishNext() throws InterruptedException {
        List<NumberedRecord> batch = outbox.unpublished(publishedSeq, BATCH_MAX);
        if (batch.isEmpty()) {
            return false;
        }
        List<Future<RecordMetadata>> acknowledgements = new ArrayList<>(batch.size());
        for (NumberedRecord record : batch) {
            acknowledgements.add(producer.send(producerRecord(record.outgoing())));
        }
        for (Future<RecordMetadata> acknowledgement : acknowledgements) {
            if (!isWritten(acknowledgement)) {
                return true;
            }
        }
        outbox.published(batch);
        publishedSeq = batch.get(batch.size() - 1).seq();
        return true;
    }

    /** False if the broker is away for longer than the producer waits: the batch is published again. */
    private static boolean isWritten(Future<RecordMetadata> acknowledgement) throws InterruptedException {
        try {
            acknowledgement.get();
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException cause) {
                log.warn("delivery reports wait for Kafka: {}", cause.getMessage());
                return false;
            }
            throw ServiceException.because("delivery reports cannot be written to Kafka", e);
        }
    }

    private ProducerRecord<byte[], byte[]> producerRecord(OutgoingRecord outgoing) {
        List<Header> headers = new ArrayList<>();
        outgoing.headers().forEach((name, value) -> headers.add(new RecordHeader(name, value)));
        return new ProducerRecord<>(topic(outgoing.destination()), null, outgoing.key(), outgoing.value(), headers);
    }

    private String topic(OutgoingRecord.Destination destination) {
        return switch (destination) {
            case DELIVERIES -> topics.deliveries();
            case DEAD_LETTERS -> topics.deadLetters();
            case EVENTS -> topics.events();
        };
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }
}
