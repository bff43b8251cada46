package dev.vigil.engine.kafka;

import dev.vigil.engine.EngineConfig;
import dev.vigil.event.Json;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.EngineStatus;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An engine in a JVM of its own, to be killed, paused or stopped. It tells its status through a file. */
final class EngineProcess implements AutoCloseable {
    private static final int STATUS_EVERY_MS = 50;
    private static final int STOP_SECONDS_MAX = 60;
    /** So few that accounts leave memory and are read from the store again. */
    private static final int LIVE_EVENTS_MAX = 5_000;

    private final Process process;
    private final Path statusFile;
    private boolean ended;

    private EngineProcess(Process process, Path statusFile) {
        this.process = process;
        this.statusFile = statusFile;
    }

    /** One that keeps everything below its data directory and says what it does on this process's output. */
    static EngineProcess start(KafkaConfig kafka, Path data) throws IOException {
        return start(kafka, data, data.resolve("checkpoints"), data.resolve("status"), null);
    }

    /**
     * @param statusFile written again and again
     * @param log what it says is appended there; null for this process's output
     */
    static EngineProcess start(KafkaConfig kafka, Path data, Path checkpoints, Path statusFile, @Nullable File log)
            throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                EngineProcess.class.getName(),
                kafka.bootstrapServers(),
                kafka.topics().prefix(),
                data.toString(),
                checkpoints.toString(),
                statusFile.toString());
        Files.deleteIfExists(statusFile);
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        if (log != null) {
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        }
        return new EngineProcess(builder.start(), statusFile);
    }

    /** What it said last; empty before the first time, and once it has ended. */
    Optional<EngineStatus> status() throws IOException {
        try {
            return process.isAlive()
                    ? Optional.of(Json.decode(Files.readAllBytes(statusFile), EngineStatus.class))
                    : Optional.empty();
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** @throws AssertionError if the process has ended, and not by {@link #kill} or {@link #stop} */
    void requireNotEndedByItself() {
        if (!ended && !process.isAlive()) {
            throw new AssertionError("an engine's process ended by itself, with status " + process.exitValue());
        }
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() {
        requireNotEndedByItself();
        ended = true;
        process.destroyForcibly();
        process.onExit().join();
    }

    /** SIGTERM; returns when the process has stopped as it should. */
    void stop() throws InterruptedException {
        requireNotEndedByItself();
        ended = true;
        process.destroy();
        if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
            kill();
            throw new IllegalStateException("the engine did not stop within " + STOP_SECONDS_MAX + " s");
        }
    }

    /** SIGSTOP: the process stands still, and nobody else can tell. */
    void pause() throws IOException, InterruptedException {
        signal("STOP");
    }

    /** SIGCONT. What it said before it was paused is forgotten. */
    void resume() throws IOException, InterruptedException {
        Files.deleteIfExists(statusFile);
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -" + name + " ended with status " + status);
        }
    }

    /** As {@link #kill}, of whatever is left. */
    @Override
    public void close() {
        ended = true;
        kill();
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Path data = Path.of(args[2]);
        KafkaConfig kafka = Deployment.config(args[0], args[1], Deployment.PARTITIONS);
        EngineConfig config = TestConfigs.of(data)
                .threads(1)
                .maxLiveEvents(LIVE_EVENTS_MAX)
                .checkpointEach(Duration.ofSeconds(1))
                .checkpointIn(Path.of(args[3]))
                .build();
        ScoringEngine engine =
                new ScoringEngine(kafka, config, data, System::currentTimeMillis, new SimpleMeterRegistry());
        Runtime.getRuntime().addShutdownHook(new Thread(engine::close, "test-shutdown"));
        engine.start();
        Path status = Path.of(args[4]);
        Path partial = status.resolveSibling(status.getFileName() + ".partial");
        while (true) {
            Files.write(partial, Json.encode(engine.status()));
            Files.move(partial, status, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Thread.sleep(STATUS_EVERY_MS);
        }
    }
}
