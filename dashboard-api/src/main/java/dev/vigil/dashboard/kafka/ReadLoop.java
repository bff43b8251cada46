package dev.vigil.dashboard.kafka;

import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that reads with a consumer of its own, and with a new one a second after the broker failed it, until closed. */
final class ReadLoop implements AutoCloseable {
    /** Called on the loop's thread with each new consumer; reads until {@link ReadLoop#isClosed}. */
    @FunctionalInterface
    interface Reading {
        void read(KafkaConsumer<byte[], byte[]> consumer);
    }

    private static final Logger LOG = LoggerFactory.getLogger(ReadLoop.class);
    private static final long RETRY_MS = 1_000;

    private final KafkaConfig config;
    private final String clientId;
    private final Map<String, Object> settings;
    private final Reading reading;
    private final Thread thread;
    private volatile boolean closed;
    private volatile @Nullable KafkaConsumer<byte[], byte[]> consumer;

    /** @param settings of the consumer, besides those that all have */
    ReadLoop(KafkaConfig config, String clientId, String threadName, Map<String, Object> settings, Reading reading) {
        this.config = config;
        this.clientId = clientId;
        this.settings = Map.copyOf(settings);
        this.reading = reading;
        this.thread = new Thread(this::run, threadName);
    }

    void start() {
        thread.start();
    }

    boolean isClosed() {
        return closed;
    }

    private void run() {
        while (!closed) {
            try (KafkaConsumer<byte[], byte[]> current = KafkaClients.consumer(config, clientId, settings)) {
                consumer = current;
                if (!closed) {
                    reading.read(current);
                }
            } catch (WakeupException | InterruptException e) {
                closed = true;
            } catch (KafkaException e) {
                LOG.warn("{}: reading stopped, trying again: {}", thread.getName(), e.getMessage());
                pause();
            }
        }
    }

    private void pause() {
        try {
            Thread.sleep(RETRY_MS);
        } catch (InterruptedException e) {
            closed = true;
        }
    }

    /** Stops the thread and waits for it. Idempotent. */
    @Override
    public void close() {
        closed = true;
        KafkaConsumer<byte[], byte[]> current = consumer;
        if (current != null) {
            current.wakeup();
        }
        try {
            thread.join(5_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
