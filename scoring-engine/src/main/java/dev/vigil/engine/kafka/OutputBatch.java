package dev.vigil.engine.kafka;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** The outputs of one step and whether the broker has them all. Sent on the worker's thread, acknowledged on Kafka's. */
final class OutputBatch implements Callback {
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

    /** Called before each send. */
    OutputBatch opened() {
        open.incrementAndGet();
        return this;
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (exception != null) {
            failure.compareAndSet(null, exception);
        }
        open.decrementAndGet();
    }

    /** @throws OutputLostException if one was refused for good */
    boolean isAcknowledged() {
        Exception lost = failure.get();
        if (lost != null) {
            throw new OutputLostException(lost);
        }
        return open.get() == 0;
    }
}
