package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.dashboard.intake.RegistryValues;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An intake in a process of its own, to be killed. */
final class IntakeProcess {
    private IntakeProcess() {}

    /** @param args bootstrap servers and topic prefix */
    public static void main(String[] args) throws IOException {
        KafkaIntake intake = new KafkaIntake(
                IntakeHarness.config(args[0], args[1]),
                FakePolicies.config("{kafka: {max-records: 50}}"),
                RegistryValues.none(),
                IntakeHarness.policy(IntakeHarness.POLICY),
                System::currentTimeMillis,
                new SimpleMeterRegistry(),
                // A killed process holds its partitions no longer than this.
                Map.of("session.timeout.ms", 6_000, "heartbeat.interval.ms", 1_000));
        intake.start();
        while (System.in.read() >= 0) {
            // Until the test that started it is gone.
        }
        intake.close();
    }

    static Process start(IntakeHarness at, Path output) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        IntakeProcess.class.getName(),
                        at.kafka.bootstrapServers(),
                        at.kafka.topics().prefix()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                .start();
    }
}
