package dev.vigil.alerting.kafka;

import dev.vigil.alerting.endpoints.EndpointAdmin;
import dev.vigil.alerting.endpoints.EndpointDirectory;
import dev.vigil.alerting.endpoints.EndpointRecord;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints made by the API, in a compacted topic of one partition; followed from its beginning, record by record in order.
 * Reading is for one thread at a time, {@link #put} and {@link #wakeUp} for any.
 */
public final class EndpointRegister implements EndpointAdmin.Register, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EndpointRegister.class);
    private static final String CLIENT = "vigil-alerting-endpoints";
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);
    private static final int BROKER_MS = 10_000;

    private final String topic;
    private final TopicPartition partition;
    private final EndpointDirectory directory;
    private final Runnable whenChanged;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final Object applied = new Object();
    /** Offset of the next record to apply; guarded by {@code applied}. */
    private long next;

    /** @param whenChanged called by the thread that reads, after the directory has changed */
    public EndpointRegister(KafkaConfig kafka, EndpointDirectory directory, Runnable whenChanged) {
        this.topic = kafka.topics().endpoints();
        this.partition = new TopicPartition(topic, 0);
        this.directory = directory;
        this.whenChanged = whenChanged;
        this.consumer =
                KafkaClients.consumer(kafka, CLIENT, Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"));
        this.producer = KafkaClients.producer(
                kafka,
                CLIENT,
                Map.of(
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        BROKER_MS,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        BROKER_MS / 2,
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        BROKER_MS));
    }

    /**
     * Applies all that is there.
     *
     * @throws ServiceException if the broker does not answer, or an endpoint cannot be decrypted
     */
    public void readToEnd() {
        try {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Offsets.end(consumer, partition);
            while (consumer.position(partition) < end) {
                consumer.poll(POLL).forEach(record -> apply(record, true));
            }
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    /** Applies what comes next; waits for about a second, or until woken. After {@link #readToEnd}. */
    public void follow() {
        try {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                apply(record, false);
            }
        } catch (WakeupException e) {
            log.debug("woken");
        } catch (KafkaException e) {
            throw unreadable(e);
        }
    }

    private ServiceException unreadable(KafkaException e) {
        return new ServiceException("topic " + topic + ": cannot be read: " + e.getMessage(), e);
    }

    private void apply(ConsumerRecord<byte[], byte[]> record, boolean starting) {
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
        // Other kinds of records are for others.
        if (key.startsWith(EndpointRecord.KEY_PREFIX) && record.value() != null) {
            try {
                directory.apply(Json.decode(record.value(), EndpointRecord.class));
                whenChanged.run();
            } catch (UncheckedIOException e) {
                log.warn("{} offset {}: expected an endpoint, found something else", topic, record.offset());
            } catch (ServiceException e) {
                if (starting) {
                    throw e;
                }
                log.error("{}; it stays as it was", e.getMessage());
            }
        }
        synchronized (applied) {
            next = record.offset() + 1;
            applied.notifyAll();
        }
    }

    @Override
    public void put(EndpointRecord record) {
        byte[] key = (EndpointRecord.KEY_PREFIX + record.name()).getBytes(StandardCharsets.UTF_8);
        try {
            long offset = producer.send(new ProducerRecord<>(topic, 0, key, Json.encode(record)))
                    .get(2L * BROKER_MS, TimeUnit.MILLISECONDS)
                    .offset();
            awaitApplied(offset);
        } catch (ExecutionException | TimeoutException | KafkaException e) {
            log.warn("topic {}: an endpoint cannot be stored: {}", topic, e.getMessage());
            throw new EndpointRefusedException(
                    Kind.UNAVAILABLE,
                    "the broker did not answer in time; look whether the change was made, and ask again");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EndpointRefusedException(Kind.UNAVAILABLE, "interrupted while storing the change");
        }
    }

    private void awaitApplied(long offset) throws InterruptedException {
        long deadlineNs = System.nanoTime() + BROKER_MS * 1_000_000L;
        synchronized (applied) {
            while (next <= offset) {
                long leftMs = (deadlineNs - System.nanoTime()) / 1_000_000;
                if (leftMs <= 0) {
                    throw new EndpointRefusedException(
                            Kind.UNAVAILABLE, "the change is stored, and will be in force when alerting has read it");
                }
                applied.wait(leftMs);
            }
        }
    }

    /** Ends a {@link #follow} that waits; from any thread. */
    public void wakeUp() {
        consumer.wakeup();
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
        consumer.close();
    }
}
