package dev.vigil.lakehouse.service;

import dev.vigil.lakehouse.TableSink;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one table's sink on a thread of its own, {@code lakehouse-<table>}, and closes it there. */
final class SinkThread {
    private static final Logger log = LoggerFactory.getLogger(SinkThread.class);
    private static final long CLOSE_WITHIN_MS = 30_000;

    private final TableSink sink;
    private final Thread thread;
    private final CountDownLatch stop = new CountDownLatch(1);

    SinkThread(TableSink sink) {
        this.sink = sink;
        this.thread = new Thread(this::run, "lakehouse-" + sink.table().tableName());
    }

    TableSink sink() {
        return sink;
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            long waitMs = 0;
            while (!stop.await(waitMs, TimeUnit.MILLISECONDS)) {
                waitMs = sink.doWork();
            }
        } catch (InterruptedException e) {
            log.warn("{} was interrupted", thread.getName());
        } finally {
            sink.close();
        }
    }

    void requestStop() {
        stop.countDown();
    }

    /** Waits for the last commit; gives up, by interrupting it, when broker or catalog do not answer. */
    void awaitStop() {
        try {
            thread.join(CLOSE_WITHIN_MS);
            if (thread.isAlive()) {
                log.warn("{} did not stop within {} ms; interrupting it", thread.getName(), CLOSE_WITHIN_MS);
                thread.interrupt();
                thread.join(CLOSE_WITHIN_MS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            thread.interrupt();
        }
    }
}
