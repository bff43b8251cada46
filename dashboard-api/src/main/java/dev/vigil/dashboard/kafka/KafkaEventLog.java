package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.EventLog;
import dev.vigil.dashboard.intake.EventLogException;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.event.EventEnvelope;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/**
 * Appends to {@code vigil.events}, keyed by account, through one idempotent producer. Blocks its caller for at most two
 * seconds, and only while the broker cannot be reached or takes less than is sent.
 */
public final class KafkaEventLog implements EventLog, AutoCloseable {
    private static final Duration MAX_BLOCK = Duration.ofSeconds(2);
    /** What a record has beside an event's data: headers and key. */
    private static final int ENVELOPE_BYTES = 16 << 10;

    private static final int MIN_REQUEST_BYTES = 1 << 20;
    private static final long MIN_BUFFER_BYTES = 32L << 20;

    private final String topic;
    private final KafkaProducer<byte[], byte[]> producer;

    /** Has room for twice what the intake lets wait, so that a slow broker is noticed there and not here. */
    public KafkaEventLog(KafkaConfig kafka, IntakeConfig intake) {
        this.topic = kafka.topics().events();
        int timeoutMs = Math.toIntExact(Math.max(1_000, intake.brokerTimeout().toMillis()));
        this.producer = KafkaClients.producer(
                kafka,
                "vigil-dashboard-intake",
                Map.of(
                        ProducerConfig.MAX_BLOCK_MS_CONFIG,
                        MAX_BLOCK.toMillis(),
                        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG,
                        timeoutMs,
                        ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG,
                        Math.max(500, timeoutMs / 2),
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG,
                        Math.max(MIN_REQUEST_BYTES, intake.maxDataBytes() + ENVELOPE_BYTES),
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        Math.max(MIN_BUFFER_BYTES, 2L * intake.maxInFlightBytes())));
    }

    @Override
    public CompletableFuture<Void> append(List<EventEnvelope> events) {
        Append append = new Append(events.size());
        for (EventEnvelope event : events) {
            if (append.hasFailed()) {
                // Each further one would wait as long again.
                append.settle(null, append.failure());
                continue;
            }
            try {
                var unused = producer.send(EventRecords.keyed(topic, event), append::settle);
            } catch (KafkaException | IllegalStateException e) {
                append.settle(null, e);
            }
        }
        return append.stored;
    }

    /** The events of one call, of which each is settled once, by whichever thread. */
    private static final class Append {
        private final CompletableFuture<Void> stored = new CompletableFuture<>();
        private final AtomicInteger unsettled;
        private final AtomicInteger confirmed = new AtomicInteger();
        private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

        Append(int events) {
            this.unsettled = new AtomicInteger(events);
        }

        boolean hasFailed() {
            return failure.get() != null;
        }

        @Nullable
        Exception failure() {
            return failure.get();
        }

        void settle(@Nullable RecordMetadata metadata, @Nullable Exception problem) {
            if (problem == null) {
                confirmed.incrementAndGet();
            } else {
                failure.compareAndSet(null, problem);
            }
            if (unsettled.decrementAndGet() > 0) {
                return;
            }
            Exception first = failure.get();
            if (first == null) {
                stored.complete(null);
            } else {
                stored.completeExceptionally(new EventLogException(reason(first), confirmed.get(), first));
            }
        }

        private static EventLogException.Reason reason(Exception failure) {
            if (failure instanceof RecordTooLargeException) {
                return EventLogException.Reason.TOO_LARGE;
            }
            return failure instanceof BufferExhaustedException
                    ? EventLogException.Reason.BUSY
                    : EventLogException.Reason.UNAVAILABLE;
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofSeconds(5));
    }
}
