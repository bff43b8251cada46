package dev.vigil.benchmarks;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** {@link ReceiverMain} in its process. One thread. */
final class Receivers implements AutoCloseable {
    private final Process process;
    private final Path file;
    private final List<String> urls;

    /** Takes what was noted of one message. */
    interface Message {
        /** @param atUs when its first byte was there, µs since the epoch */
        void at(int receiver, long event, long atUs);
    }

    private Receivers(Process process, Path file, List<String> urls) {
        this.process = process;
        this.file = file;
        this.urls = urls;
    }

    static Receivers start(int count, Path file) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ReceiverMain.class.getName(),
                        Integer.toString(count),
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String ports = output.readLine();
        if (ports == null) {
            throw new IOException("the receivers' process has ended; see its output");
        }
        return new Receivers(
                process,
                file,
                Arrays.stream(ports.split(" "))
                        .map(port -> "http://127.0.0.1:" + port + "/alerts")
                        .toList());
    }

    List<String> urls() {
        return urls;
    }

    /** From now on that receiver takes what comes and answers nothing. */
    void blackHole(int receiver) throws IOException {
        tell("hole " + receiver);
    }

    private void tell(String line) throws IOException {
        process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
    }

    /** Ends the receivers and gives every message that they answered, in the order of arrival. */
    void end(Message message) throws IOException {
        tell("end");
        process.onExit().join();
        try (DataInputStream noted = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
            while (true) {
                message.at(noted.readInt(), noted.readLong(), noted.readLong());
            }
        } catch (EOFException e) {
            // All were read.
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
