package dev.vigil.engine.kafka;

import dev.vigil.engine.EngineConfig;
import dev.vigil.service.kafka.KafkaConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** An engine in a JVM of its own, to be killed. */
final class EngineProcess implements AutoCloseable {
    private final Process process;

    private EngineProcess(Process process) {
        this.process = process;
    }

    static EngineProcess start(KafkaConfig kafka, Path data) throws IOException {
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
                data.toString());
        return new EngineProcess(new ProcessBuilder(command).inheritIO().start());
    }

    /** SIGKILL; returns when the process is gone. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] args) throws InterruptedException {
        Path data = Path.of(args[2]);
        KafkaConfig kafka = Deployment.config(args[0], args[1], Deployment.PARTITIONS);
        EngineConfig config =
                TestConfigs.of(data).checkpointEach(Duration.ofSeconds(2)).build();
        new ScoringEngine(kafka, config, data, System::currentTimeMillis, new SimpleMeterRegistry()).start();
        new CountDownLatch(1).await();
    }
}
