package dev.vigil.engine.kafka;

import dev.vigil.service.kafka.EventRecords;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends a test's traffic bit by bit on a thread of its own, until closed. */
final class Pacer implements AutoCloseable {
    private final Deployment deployment;
    private final TestTraffic traffic;
    private final int pauseMs;
    private final Thread thread = new Thread(this::run, "test-pacer");
    private final AtomicInteger sentCount = new AtomicInteger();
    private volatile boolean running = true;

    /** About 1,000 records per second. */
    Pacer(Deployment deployment, TestTraffic traffic) {
        this(deployment, traffic, 10);
    }

    /** @param pauseMs between ten records and the next */
    Pacer(Deployment deployment, TestTraffic traffic, int pauseMs) {
        this.deployment = deployment;
        this.traffic = traffic;
        this.pauseMs = pauseMs;
        thread.start();
    }

    private void run() {
        while (running) {
            traffic.next(10).forEach(event -> {
                deployment.send(EventRecords.keyed(deployment.kafka().topics().events(), event));
                sentCount.incrementAndGet();
            });
            try {
                Thread.sleep(pauseMs);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    int sentCount() {
        return sentCount.get();
    }

    /** Returns when the broker has all that was sent. */
    @Override
    public void close() {
        running = false;
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while traffic was stopping", e);
        }
        deployment.flush();
    }
}
