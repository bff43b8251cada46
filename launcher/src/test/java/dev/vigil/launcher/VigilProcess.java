package dev.vigil.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The {@code vigil} command in a process of its own, as a user runs it, on this test's class path. */
final class VigilProcess implements AutoCloseable {
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private VigilProcess(Process process) {
        this.process = process;
        this.reader = new Thread(this::readLines, "vigil-process-output");
        reader.setDaemon(true);
        reader.start();
    }

    static VigilProcess start(Path workingDirectory, String... arguments) throws IOException {
        return new VigilProcess(
                builder(workingDirectory, arguments).redirectErrorStream(true).start());
    }

    /** For a test that wants it with another environment or output. */
    static ProcessBuilder builder(Path workingDirectory, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx768m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                "dev.vigil.launcher.Vigil"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).directory(workingDirectory.toFile());
    }

    private void readLines() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("output ended: " + e.getMessage());
        }
    }

    /** The first line of the output for which it holds, waiting for it. */
    String awaitLine(Predicate<String> wanted, long seconds) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (System.nanoTime() < deadlineNs) {
            for (String line : lines) {
                if (wanted.test(line)) {
                    return line;
                }
            }
            if (!process.isAlive() && !reader.isAlive()) {
                break;
            }
            Thread.sleep(50);
        }
        throw new AssertionError("no such line in:\n" + output());
    }

    /** As Ctrl-C or an orchestrator does; {@link Process#destroy} would also close the output that the process ends with. */
    void askToStop() {
        process.toHandle().destroy();
    }

    int awaitExit(long seconds) throws InterruptedException {
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            addThreadsToOutput();
            throw new AssertionError("still running after " + seconds + " s:\n" + output());
        }
        reader.join(TimeUnit.SECONDS.toMillis(5));
        return process.exitValue();
    }

    /** By SIGQUIT, to which a JVM answers on its output. */
    private void addThreadsToOutput() throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start();
        } catch (IOException e) {
            lines.add("threads not known: " + e.getMessage());
        }
        Thread.sleep(2_000);
    }

    String output() {
        return String.join("\n", lines);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
