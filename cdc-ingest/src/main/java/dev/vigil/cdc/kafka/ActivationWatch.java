package dev.vigil.cdc.kafka;

import dev.vigil.event.Json;
import dev.vigil.event.PolicyActivation;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.Offsets;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of the policy in force, and of those that are activated from then on, as the register has them. What it misses while the
 * broker is away it tells later.
 */
public final class ActivationWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ActivationWatch.class);
    private static final String NAME = "cdc-ingest-policies";
    private static final Duration POLL = Duration.ofSeconds(5);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final Consumer<String> listener;
    private final Thread thread = new Thread(this::run, NAME);
    private volatile boolean closing;

    /** @param listener is given the policy's text, by a thread of the watch */
    public ActivationWatch(KafkaConfig config, Consumer<String> listener) {
        this.consumer = KafkaClients.consumer(config, NAME, Map.of());
        this.partition = new TopicPartition(config.topics().policies(), 0);
        this.listener = listener;
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try (consumer) {
            consumer.assign(List.of(partition));
            consumer.seekToBeginning(List.of(partition));
            long end = Offsets.end(consumer, partition);
            String inForce = null;
            while (!closing) {
                for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                    Optional<String> policy = policy(record);
                    if (record.offset() >= end) {
                        policy.ifPresent(listener);
                    } else if (policy.isPresent()) {
                        inForce = policy.get();
                    }
                }
                if (inForce != null && consumer.position(partition) >= end) {
                    listener.accept(inForce);
                    inForce = null;
                }
            }
        } catch (WakeupException e) {
            log.debug("closed while waiting for the broker");
        } catch (KafkaException e) {
            log.warn("policies that are activated from now on are not checked against the columns: {}", e.toString());
        }
    }

    /** Empty for what is no activation, or not one that ended. */
    private static Optional<String> policy(ConsumerRecord<byte[], byte[]> record) {
        if (record.value() == null) {
            return Optional.empty();
        }
        try {
            PolicyActivation activation = Json.decode(record.value(), PolicyActivation.class);
            return activation.begun() ? Optional.empty() : Optional.of(activation.policy());
        } catch (UncheckedIOException e) {
            log.warn("an activation at offset {} cannot be read: {}", record.offset(), e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void close() {
        closing = true;
        consumer.wakeup();
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
