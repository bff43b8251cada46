package dev.vigil.engine.kafka;

import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends outputs at once while the engine keeps up. A producer that never waits sends many small requests under load, which
 * costs broker and engine more than the records themselves; one that waits makes each alert wait. So the producer waits a
 * little, and this thread tells it not to after each step that was not a full one.
 */
final class OutputFlusher implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(OutputFlusher.class);

    private final Producer<byte[], byte[]> producer;
    private volatile boolean requested;
    private volatile boolean stopped;
    private volatile Thread thread = Thread.currentThread();

    OutputFlusher(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    /** Any thread; does not block. What was sent before leaves now. */
    void request() {
        requested = true;
        LockSupport.unpark(thread);
    }

    /** Any thread. {@link #run} returns when the flush that is under way has ended; closing the producer ends it. */
    void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        try {
            while (!stopped) {
                if (!requested) {
                    LockSupport.park(this);
                    continue;
                }
                requested = false;
                producer.flush();
            }
        } catch (KafkaException e) {
            if (!stopped) {
                // The producer sends all the same, a little later.
                LOG.warn("outputs are not sent at once any more: {}", e.toString());
            }
        }
    }
}
