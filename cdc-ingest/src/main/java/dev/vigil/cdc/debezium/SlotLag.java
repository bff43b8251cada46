package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.service.ServiceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every few seconds at how much of the database's log is not captured yet, and whether the database keeps something from the
 * stream, over a connection of its own. What was kept back does not come later, so it is told until the tables are read anew or the
 * process ends.
 */
final class SlotLag implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(SlotLag.class);
    private static final int PERIOD_SECONDS = 2;

    private final CaptureSource source;
    private final Supplier<CapturePosition> position;
    private final @Nullable LogSilence silence;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "cdc-ingest-slot-lag"));
    private @Nullable Connection connection;
    private volatile @Nullable Long lagBytes;
    private volatile @Nullable String problem;
    private int anewCount;

    /**
     * @param position how far the source was read
     * @param silence looked after, too; null where the log may be silent
     */
    SlotLag(CaptureSource source, Supplier<CapturePosition> position, @Nullable LogSilence silence) {
        this.source = source;
        this.position = position;
        this.silence = silence;
    }

    void start() {
        var unused = thread.scheduleWithFixedDelay(this::look, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /** Null while it is not known. */
    @Nullable
    Long lagBytes() {
        return lagBytes;
    }

    /** Null while nothing is known to be kept from the stream, and it comes. Any thread. */
    @Nullable
    String problem() {
        return problem == null && silence != null ? silence.problem() : problem;
    }

    /** The tables are going to be read anew, and what was kept back with them. Any thread. */
    synchronized void readAnew() {
        anewCount++;
        problem = null;
    }

    private synchronized int anewCount() {
        return anewCount;
    }

    private synchronized void tell(Optional<String> hole, int seenAt) {
        if (hole.isEmpty() || seenAt != anewCount) {
            return;
        }
        String text = hole.get() + "; rows written meanwhile are lost to the stream";
        if (!text.equals(problem)) {
            log.warn("{}", text);
        }
        problem = text;
    }

    private void look() {
        int seenAt = anewCount();
        if (silence != null) {
            silence.look();
        }
        try {
            if (connection == null) {
                connection = source.connect();
            }
            OptionalLong lag = source.lagBytes(connection, position.get());
            lagBytes = lag.isPresent() ? lag.getAsLong() : null;
            tell(source.hole(connection), seenAt);
        } catch (SQLException | ServiceException e) {
            log.debug("the lag is not known: {}", e.toString());
            lagBytes = null;
            closeConnection();
        }
    }

    private void closeConnection() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException e) {
            log.debug("a lost connection could not be closed: {}", e.toString());
        }
        connection = null;
    }

    @Override
    public void close() {
        thread.execute(this::closeConnection);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
                log.warn("the lag is still being looked at; its thread ends with the process");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
