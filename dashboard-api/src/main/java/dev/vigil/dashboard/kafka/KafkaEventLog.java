package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.EventLog;
import dev.vigil.dashboard.intake.EventLogException;
import dev.vigil.event.EventEnvelope;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;

/**
 * Appends to {@code vigil.events}, keyed by account, through one idempotent producer. Blocks its caller for at most two
 * seconds, and only while the broker cannot be reached or takes less than is sent.
 */
public final class KafkaEventLog implements EventLog, AutoCloseable {
    private static final Duration MAX_BLOCK = Duration.ofSeconds(2);

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    /** @param timeout until an append that the broker does not confirm fails */
    public KafkaEventLog(KafkaConfig config, Duration timeout) {
        this.topic = config.topics().events();
        int timeoutMs = Math.toIntExact(Math.max(1_000, timeout.toMillis()));
        this.producer = KafkaClients.producer(
                config,
                "vigil-dashboard-intake",
                Map.of(
                        ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK.toMillis(),
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, timeoutMs,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(500, timeoutMs / 2)));
    }

    @Override
    public CompletableFuture<Void> append(List<EventEnvelope> events) {
        CompletableFuture<Void> stored = new CompletableFuture<>();
        AtomicInteger unconfirmed = new AtomicInteger(events.size());
        for (EventEnvelope event : events) {
            try {
                var unused = producer.send(EventRecords.keyed(topic, event), (metadata, failure) -> {
                    if (failure != null) {
                        fail(stored, failure);
                    } else if (unconfirmed.decrementAndGet() == 0) {
                        stored.complete(null);
                    }
                });
            } catch (KafkaException | IllegalStateException e) {
                fail(stored, e);
            }
            if (stored.isCompletedExceptionally()) {
                // Each further one would wait as long again.
                return stored;
            }
        }
        return stored;
    }

    private static void fail(CompletableFuture<Void> stored, Exception failure) {
        stored.completeExceptionally(new EventLogException("the broker did not confirm every event", failure));
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
