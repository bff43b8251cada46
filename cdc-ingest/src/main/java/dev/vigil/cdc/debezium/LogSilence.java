package dev.vigil.cdc.debezium;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells that nothing of the database's log comes although heartbeats are written into it: a server that reads a long way up to the
 * position, or an engine that passes over what it should give. The engine's own heartbeats do not count, since it makes them
 * whatever it reads.
 */
final class LogSilence {

    private static final Logger log = LoggerFactory.getLogger(LogSilence.class);

    private final CaptureProgress progress;
    private final Duration max;
    private volatile @Nullable String problem;

    LogSilence(CaptureProgress progress, Duration max) {
        this.progress = progress;
        this.max = max;
    }

    /** Called now and then, by one thread. */
    void look() {
        long silenceNs = progress.logSilenceNs();
        if (silenceNs <= max.toNanos()) {
            if (problem != null) {
                log.info("the database's log comes again");
            }
            problem = null;
            return;
        }
        String text = "expected something of the database's log every " + max.toSeconds()
                + " s, be it a heartbeat, found none for " + TimeUnit.NANOSECONDS.toSeconds(silenceNs)
                + " s: it is passed over, or the server still reads up to the position";
        if (problem == null) {
            log.warn("{}", text);
        }
        problem = text;
    }

    /** In one line; null while the log comes. Any thread. */
    @Nullable
    String problem() {
        return problem;
    }
}
