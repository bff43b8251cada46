package dev.vigil.benchmarks;

import dev.vigil.service.kafka.KafkaConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** {@link AlertingMain} in its process. One thread. */
final class AlertingProcess implements AutoCloseable {
    private static final long STOP_SECONDS = 30;

    private final Process process;
    private final OutputStream questions;
    private final BufferedReader answers;

    /** @param pending deliveries */
    record Counts(long alerts, long delivered, long pending) {}

    private AlertingProcess(Process process) {
        this.process = process;
        this.questions = process.getOutputStream();
        this.answers = process.inputReader(StandardCharsets.UTF_8);
    }

    static AlertingProcess start(KafkaConfig kafka, Path data, List<String> jvmOptions, List<String> urls)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                AlertingMain.class.getName(),
                kafka.bootstrapServers(),
                kafka.topics().prefix(),
                Integer.toString(kafka.partitions()),
                data.toString()));
        command.addAll(urls);
        return new AlertingProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    ProcessMeter meter() {
        return new ProcessMeter(process.pid());
    }

    Counts counts() throws IOException {
        questions.write('\n');
        questions.flush();
        // Its log goes to the same stream.
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.matches("\\d+ \\d+ \\d+")) {
                long[] counts = Arrays.stream(line.split(" "))
                        .mapToLong(Long::parseLong)
                        .toArray();
                return new Counts(counts[0], counts[1], counts[2]);
            }
            System.err.println(line);
        }
        throw new IOException("alerting's process has ended; see its output");
    }

    @Override
    public void close() throws IOException {
        questions.close();
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
