package dev.vigil.cdc.debezium;

import dev.vigil.service.ServiceException;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the engine, from the stored position until it is stopped or fails. */
final class CaptureRun {

    private static final Logger log = LoggerFactory.getLogger(CaptureRun.class);
    private static final int STOP_RETRY_MS = 50;

    private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
    private final AtomicReference<@Nullable String> failure = new AtomicReference<>();
    private volatile boolean ended;

    CaptureRun(Properties settings, BatchForwarder forwarder) {
        this.engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(settings)
                .using(CaptureRun.class.getClassLoader())
                .notifying(forwarder)
                .using(this::completed)
                .build();
    }

    /** Runs on the caller's thread. Empty if it was stopped, else why it ended. */
    Optional<String> run() {
        try {
            engine.run();
        } catch (RuntimeException e) {
            failure.compareAndSet(null, describe(null, e));
        } finally {
            ended = true;
        }
        return Optional.ofNullable(failure.get());
    }

    private void completed(boolean success, @Nullable String message, @Nullable Throwable error) {
        if (!success) {
            log.debug("the capture engine ended: {}", message, error);
            failure.compareAndSet(null, describe(message, error));
        }
    }

    private static String describe(@Nullable String message, @Nullable Throwable error) {
        Throwable cause = error;
        while (cause != null && cause.getCause() != null && !(cause instanceof ServiceException)) {
            cause = cause.getCause();
        }
        String text = cause == null || cause.getMessage() == null ? String.valueOf(message) : cause.getMessage();
        return text.lines().findFirst().orElse("no reason given");
    }

    /** As {@link #stop}, and as if the run had failed. */
    void abort(String reason) {
        failure.compareAndSet(null, reason);
        stop();
    }

    /** Stops the run, from another thread; returns when the engine has let go of the slot. */
    void stop() {
        while (!ended) {
            try {
                engine.close();
                return;
            } catch (IllegalStateException e) {
                // It cannot be stopped while it starts its task, and says so only in this way.
                if (!pause()) {
                    return;
                }
            } catch (IOException e) {
                log.warn("the capture engine did not stop cleanly: {}", e.toString());
                return;
            }
        }
    }

    private static boolean pause() {
        try {
            Thread.sleep(STOP_RETRY_MS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
