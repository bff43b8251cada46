package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.cases.ActionNotStoredException;
import dev.vigil.dashboard.cases.CaseActions;
import dev.vigil.event.Json;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Appends to {@code vigil.case-actions}, keyed by the case's account as events are, so that an action stands in the partition that
 * the account's alerts are in. Waits for every in-sync replica, for a few seconds at most.
 */
public final class KafkaCaseActions implements CaseActions, AutoCloseable {
    private static final Duration MAX_BLOCK = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final int BUFFER_BYTES = 4 << 20;

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    public KafkaCaseActions(KafkaConfig kafka) {
        this.topic = kafka.topics().caseActions();
        this.producer = KafkaClients.producer(
                kafka,
                "vigil-dashboard-cases",
                Map.of(
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        MAX_BLOCK.toMillis(),
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        Math.toIntExact(TIMEOUT.toMillis()),
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        Math.toIntExact(TIMEOUT.toMillis() / 2),
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        BUFFER_BYTES));
    }

    @Override
    public void append(CaseAction action) {
        byte[] key = action.account().getBytes(StandardCharsets.UTF_8);
        try {
            producer.send(new ProducerRecord<>(topic, key, Json.encode(action)))
                    .get(MAX_BLOCK.plus(TIMEOUT).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActionNotStoredException("interrupted while waiting for the broker", e);
        } catch (ExecutionException | TimeoutException | KafkaException | IllegalStateException e) {
            throw new ActionNotStoredException("the broker did not confirm the action in " + topic, e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
