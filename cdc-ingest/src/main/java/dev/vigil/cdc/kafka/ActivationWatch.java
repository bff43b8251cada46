package dev.vigil.cdc.kafka;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of policies that are activated from now on. Follows one partition of the log, since each has every activation, in large
 * and rare fetches: an activation is told some seconds later. What it misses while the broker is away it tells later.
 */
public final class ActivationWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ActivationWatch.class);
    private static final String NAME = "cdc-ingest-policies";
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Map<String, Object> RARE_FETCHES =
            Map.of("fetch.min.bytes", 1 << 20, "fetch.max.wait.ms", 5_000, "request.timeout.ms", 30_000);

    private final KafkaConsumer<byte[], byte[]> consumer;
    private final TopicPartition partition;
    private final Consumer<String> listener;
    private final Thread thread = new Thread(this::run, NAME);
    private volatile boolean closing;

    /** @param listener is given the policy's text, by a thread of the watch */
    public ActivationWatch(KafkaConfig config, Consumer<String> listener) {
        this.consumer = KafkaClients.consumer(config, NAME, new HashMap<>(RARE_FETCHES));
        this.partition = new TopicPartition(config.topics().events(), 0);
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
            if (isActivation(record)) {
                tell(record);
            }
        }
    }

    private void tell(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (Json.decodeObject(record.value()).get("policy") instanceof String text) {
                listener.accept(text);
            }
        } catch (UncheckedIOException e) {
            log.warn("an activation at offset {} cannot be read: {}", record.offset(), e.getMessage());
        }
    }

    private static boolean isActivation(ConsumerRecord<byte[], byte[]> record) {
        Header type = record.headers().lastHeader(EventEnvelope.TYPE_HEADER);
        return type != null && EventTypes.POLICY.equals(new String(type.value(), StandardCharsets.UTF_8));
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
