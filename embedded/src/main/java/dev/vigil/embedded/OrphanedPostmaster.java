package dev.vigil.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server that still runs on a data directory although the JVM that started it was killed. Its settings are
 * those of that JVM, so it is stopped rather than adopted.
 *
 * <p>Call only while holding the directory's lock: then no living JVM uses the server.
 */
final class OrphanedPostmaster {

    private static final Logger log = LoggerFactory.getLogger(OrphanedPostmaster.class);
    private static final int STOP_SECONDS_MAX = 30;

    private OrphanedPostmaster() {}

    /** Stops the server that {@code postmaster.pid} names, if it runs. */
    static void stopIfRunning(Path pgData) {
        Optional<ProcessHandle> orphan = readPid(pgData.resolve("postmaster.pid"))
                .flatMap(ProcessHandle::of)
                .filter(OrphanedPostmaster::isPostgres);
        orphan.ifPresent(postmaster -> {
            log.warn(
                    "PostgreSQL (pid {}) was left running on {} by a process that was killed: stopping it first",
                    postmaster.pid(),
                    pgData);
            stop(postmaster);
        });
    }

    private static Optional<Long> readPid(Path pidFile) {
        if (!Files.exists(pidFile)) {
            return Optional.empty();
        }
        try {
            List<String> lines = Files.readAllLines(pidFile);
            return lines.isEmpty()
                    ? Optional.empty()
                    : Optional.of(Long.parseLong(lines.get(0).trim()));
        } catch (IOException | NumberFormatException e) {
            throw new EmbeddedStartException(
                    "PostgreSQL: expected a process id in the first line of " + pidFile + ", found: " + e, e);
        }
    }

    private static boolean isPostgres(ProcessHandle process) {
        return process.isAlive()
                && process.info()
                        .command()
                        .map(command ->
                                Path.of(command).getFileName().toString().startsWith("postgres"))
                        .orElse(false);
    }

    private static void stop(ProcessHandle postmaster) {
        try {
            // SIGINT is PostgreSQL's fast shutdown; Java itself can only send SIGTERM, which waits for clients.
            new ProcessBuilder("sh", "-c", "kill -INT " + postmaster.pid())
                    .start()
                    .waitFor();
            postmaster.onExit().get(STOP_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (IOException | ExecutionException | TimeoutException e) {
            throw new EmbeddedStartException(
                    "PostgreSQL: expected to stop the server with pid " + postmaster.pid() + ", found: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedStartException("PostgreSQL: interrupted while stopping an orphaned server", e);
        }
    }
}
