package dev.vigil.engine.kafka;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** The outputs of one step and whether the broker has them all. Sent on the worker's thread, acknowledged on Kafka's. */
final class OutputBatch implements Callback {
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicReference<@Nullable Exception> lost;

    /** @param lost holds the first failure of the task, in whichever step */
    OutputBatch(AtomicReference<@Nullable Exception> lost) {
        this.lost = lost;
    }

    /**
     * Called before each send. Nothing may follow an output that was lost: a reader that has seen a later position drops
     * the earlier one when it comes again.
     *
     * @throws OutputLostException if an output of the task was refused for good
     */
    OutputBatch opened() {
        requireNoneLost();
        open.incrementAndGet();
        return this;
    }

    @Override
    public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception exception) {
        if (exception != null) {
            lost.compareAndSet(null, exception);
        }
        open.decrementAndGet();
    }

    /** @throws OutputLostException as {@link #opened} */
    boolean isAcknowledged() {
        requireNoneLost();
        return open.get() == 0;
    }

    private void requireNoneLost() {
        Exception failure = lost.get();
        if (failure != null) {
            throw new OutputLostException(failure);
        }
    }
}
