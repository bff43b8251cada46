package dev.vigil.cdc.kafka;

import dev.vigil.event.Json;
import dev.vigil.event.PolicyActivation;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of policies that are activated from now on, as the register has them. What it misses while the broker is away it tells later. */
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
            consumer.seekToEnd(List.of(partition));
            while (!closing) {
                poll();
            }
        } catch (WakeupException e) {
            log.debug("closed while waiting for the broker");
        } catch (KafkaException e) {
            log.warn("policies that are activated from now on are not checked against the columns: {}", e.toString());
        }
    }

    private void poll() {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            if (record.value() != null) {
                tell(record);
            }
        }
    }

    private void tell(ConsumerRecord<byte[], byte[]> record) {
        try {
            PolicyActivation activation = Json.decode(record.value(), PolicyActivation.class);
            if (!activation.begun()) {
                listener.accept(activation.policy());
            }
        } catch (UncheckedIOException e) {
            log.warn("an activation at offset {} cannot be read: {}", record.offset(), e.getMessage());
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
