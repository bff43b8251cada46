package dev.vigil.cdc.debezium;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a run whose connection has fallen silent: where the source sends a heartbeat when nothing happens, silence means that it is
 * not there any more. Nothing is ended while the engine waits for the broker or a snapshot is read.
 */
final class StallWatch implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(StallWatch.class);
    private static final int PERIOD_SECONDS = 1;

    private final CaptureProgress progress;
    private final Duration silenceMax;
    private final Runnable onSilence;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "cdc-ingest-stall-watch"));

    /** @param onSilence called from a thread of this watch, again after the same time if the silence lasts */
    StallWatch(CaptureProgress progress, Duration silenceMax, Runnable onSilence) {
        this.progress = progress;
        this.silenceMax = silenceMax;
        this.onSilence = onSilence;
    }

    void start() {
        var unused = thread.scheduleWithFixedDelay(this::look, PERIOD_SECONDS, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        if (!progress.phase().equals(CaptureProgress.PHASE_STREAMING) || progress.idleNs() < silenceMax.toNanos()) {
            return;
        }
        try {
            progress.endBatch();
            onSilence.run();
        } catch (RuntimeException e) {
            log.warn("a run that has fallen silent could not be ended: {}", e.toString());
        }
    }

    @Override
    public void close() {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                log.warn("a run that has fallen silent is still being ended; the thread ends with the process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
