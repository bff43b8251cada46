package dev.vigil.cdc.kafka;

import dev.vigil.cdc.ChangeOutput;
import dev.vigil.cdc.MappedRow;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.TopicNames;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * Sends a batch of records and waits until the broker has acknowledged every one of them. While the broker is away it
 * waits, and with it the source: nothing is dropped and nothing is given up.
 *
 * <p>One thread sends; {@link #stopWaiting()} may come from another.
 */
public final class EventPublisher implements ChangeOutput, AutoCloseable {

    private static final int WAIT_SLICE_MS = 100;
    /** A change of a whole table can be a batch of any size. */
    private static final int IN_FLIGHT_MAX = 10_000;

    private final TopicNames topics;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Sent> inFlight = new ArrayList<>();
    private int tooLargeCount;
    private volatile boolean stopped;

    private record Sent(ProducerRecord<byte[], byte[]> record, Future<RecordMetadata> outcome) {}

    public EventPublisher(KafkaConfig config) {
        this.topics = config.topics();
        // send() blocks while the broker is away; a short limit lets stopWaiting() through between two attempts.
        this.producer =
                KafkaClients.producer(config, "vigil-cdc-ingest", Map.of("linger.ms", 1, "max.block.ms", 1_000));
    }

    @Override
    public void publish(EventEnvelope event) throws InterruptedException {
        send(EventRecords.keyed(topics.events(), event));
    }

    @Override
    public void deadLetter(MappedRow.Refused refused) throws InterruptedException {
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topics.deadLetters(), utf8(refused.key()), refused.value());
        refused.headers().forEach((name, value) -> record.headers().add(new RecordHeader(name, utf8(value))));
        refused.deadLetter().headers().forEach((name, value) -> record.headers().add(new RecordHeader(name, value)));
        send(record);
    }

    private void send(ProducerRecord<byte[], byte[]> record) throws InterruptedException {
        if (inFlight.size() >= IN_FLIGHT_MAX) {
            settle();
        }
        inFlight.add(enqueue(record));
    }

    /** Tries until the producer takes the record, so that a later record of the same account never overtakes it. */
    private Sent enqueue(ProducerRecord<byte[], byte[]> record) throws InterruptedException {
        while (true) {
            Future<RecordMetadata> outcome = producer.send(record);
            if (!outcome.isDone() || !hasTimedOut(outcome)) {
                return new Sent(record, outcome);
            }
            if (stopped) {
                throw new InterruptedException("stopped while waiting for the broker");
            }
        }
    }

    private static boolean hasTimedOut(Future<RecordMetadata> done) throws InterruptedException {
        try {
            done.get();
            return false;
        } catch (ExecutionException e) {
            return e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException;
        }
    }

    /**
     * Returns when everything sent since the last call is acknowledged.
     *
     * @return how many events went to the dead-letter topic because the broker refuses their size
     * @throws InterruptedException if it was told to stop waiting: then the batch counts as not sent
     * @throws ServiceException if the broker refuses a record for another reason: then the batch counts as not sent
     */
    public int awaitAcknowledged() throws InterruptedException {
        settle();
        int count = tooLargeCount;
        tooLargeCount = 0;
        return count;
    }

    private void settle() throws InterruptedException {
        for (Sent sent : List.copyOf(inFlight)) {
            if (!isAcknowledged(sent)) {
                tooLargeCount += sent.record().topic().equals(topics.events()) ? 1 : 0;
                ProducerRecord<byte[], byte[]> letter = tooLarge(sent.record());
                if (!isAcknowledged(enqueue(letter))) {
                    throw new ServiceException("Kafka refuses even the dead letter of a record that is too large");
                }
            }
        }
        inFlight.clear();
    }

    /** Forgets what was sent but not yet acknowledged: the source will give it again. */
    public void abandon() {
        inFlight.clear();
        tooLargeCount = 0;
    }

    private boolean isAcknowledged(Sent sent) throws InterruptedException {
        while (true) {
            try {
                sent.outcome().get(WAIT_SLICE_MS, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                if (stopped) {
                    throw new InterruptedException("stopped while waiting for the broker");
                }
            } catch (ExecutionException e) {
                if (e.getCause() instanceof RecordTooLargeException) {
                    return false;
                }
                throw ServiceException.because(
                        "Kafka refuses a record for " + sent.record().topic(), e);
            }
        }
    }

    private ProducerRecord<byte[], byte[]> tooLarge(ProducerRecord<byte[], byte[]> record) {
        int sizeBytes = record.value().length;
        DeadLetter reason = new DeadLetter(
                DeadLetter.Reason.TOO_LARGE,
                "cdc-ingest",
                "expected a record that the broker accepts, found one of " + sizeBytes
                        + " bytes; its value is left out",
                null);
        ProducerRecord<byte[], byte[]> letter = new ProducerRecord<>(topics.deadLetters(), record.key(), new byte[0]);
        record.headers().forEach(header -> letter.headers().add(header));
        reason.headers().forEach((name, value) -> letter.headers().add(new RecordHeader(name, value)));
        return letter;
    }

    /** Makes {@link #awaitAcknowledged()} give up soon. */
    public void stopWaiting() {
        stopped = true;
    }

    @Override
    public void close() {
        stopped = true;
        producer.close(Duration.ofSeconds(5));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
