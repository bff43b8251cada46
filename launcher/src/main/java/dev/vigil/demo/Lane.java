package dev.vigil.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A bounded queue between the thread that makes actions and one that delivers them. A full lane makes the former wait.
 */
final class Lane<A> {
    private static final long POLL_MS = 20;

    private final BlockingQueue<A> queue;
    private final int batchMax;
    private volatile boolean ending;

    Lane(int capacity, int batchMax) {
        this.queue = new ArrayBlockingQueue<>(capacity);
        this.batchMax = batchMax;
    }

    /** Called by the making thread; waits while the lane is full. */
    void put(A action) throws InterruptedException {
        queue.put(action);
    }

    /** No more will be put. */
    void end() {
        ending = true;
    }

    /** What waits, at least one and at most a batch; empty when the lane has ended and is empty. */
    List<A> takeBatch() throws InterruptedException {
        List<A> batch = new ArrayList<>();
        while (true) {
            boolean last = ending;
            A first = queue.poll(POLL_MS, TimeUnit.MILLISECONDS);
            if (first != null) {
                batch.add(first);
                queue.drainTo(batch, batchMax - 1);
                return batch;
            }
            if (last) {
                return batch;
            }
        }
    }

    /** Empties the lane; returns how many were in it. */
    int drop() {
        return queue.drainTo(new ArrayList<>());
    }
}
