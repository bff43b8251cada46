package dev.vigil.embedded;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/**
 * The broker of {@link EmbeddedKafka} as a process of its own, for tests that kill it. Same data directory, same ports:
 * a directory may be used by either, one at a time. Its output goes to {@code broker.log} in the data directory.
 *
 * <p>Not thread-safe. A child that outlives its parent keeps running: close or kill it.
 */
public final class EmbeddedKafkaProcess implements AutoCloseable {

    private static final int START_SECONDS_MAX = 60;
    private static final int STOP_SECONDS_MAX = 30;

    private final Path dataDirectory;
    private final int port;
    private Process process;

    private EmbeddedKafkaProcess(Path dataDirectory, int port, Process process) {
        this.dataDirectory = dataDirectory;
        this.port = port;
        this.process = process;
    }

    /** Starts a broker on the ports that the directory keeps, or on free ones. */
    public static EmbeddedKafkaProcess start(Path dataDirectory) {
        return start(dataDirectory, 0);
    }

    /**
     * Starts a broker on exactly this port (0: the kept one, or a free one). Returns when clients can connect.
     *
     * @throws EmbeddedStartException if the port is taken or the broker does not start; nothing is left running
     */
    public static EmbeddedKafkaProcess start(Path dataDirectory, int port) {
        Path logDirectory = BrokerStorage.prepare(dataDirectory);
        KeptPorts ports = KeptPorts.load(dataDirectory.resolve("ports.properties"));
        int brokerPort = port == 0 ? ports.portFor("broker") : ports.fixedPort("broker", "Kafka", port);
        Properties settings = BrokerSettings.of(logDirectory, brokerPort, ports.portFor("controller"));
        EmbeddedKafkaProcess broker =
                new EmbeddedKafkaProcess(dataDirectory, brokerPort, launch(dataDirectory, settings));
        broker.awaitReady();
        return broker;
    }

    private static Process launch(Path dataDirectory, Properties settings) {
        Path settingsFile = dataDirectory.resolve("server.properties");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms64m",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=dev/vigil/embedded/broker-process-logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                "kafka.Kafka",
                settingsFile.toString());
        File output = dataDirectory.resolve("broker.log").toFile();
        try {
            try (Writer writer = Files.newBufferedWriter(settingsFile, StandardCharsets.UTF_8)) {
                settings.store(writer, null);
            }
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output))
                    .start();
        } catch (IOException e) {
            throw new EmbeddedStartException("Kafka: cannot start a broker process: " + e.getMessage(), e);
        }
    }

    private void awaitReady() {
        try {
            awaitListening();
            Map<String, Object> settings = Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
            try (Admin admin = Admin.create(settings)) {
                admin.describeCluster().nodes().get(START_SECONDS_MAX, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            throw new EmbeddedStartException("Kafka: interrupted while the broker process started", e);
        } catch (ExecutionException | TimeoutException e) {
            process.destroyForcibly();
            throw new EmbeddedStartException("Kafka: the broker process does not answer: " + e, e);
        }
    }

    private void awaitListening() throws InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (!isListening()) {
            if (process.waitFor(50, TimeUnit.MILLISECONDS)) {
                throw new EmbeddedStartException(
                        "Kafka: expected a broker process to start, found it ended with status " + process.exitValue()
                                + "; see " + dataDirectory.resolve("broker.log"));
            }
            if (System.nanoTime() - deadlineNs > 0) {
                process.destroyForcibly();
                throw new EmbeddedStartException("Kafka: expected the broker process to listen within "
                        + START_SECONDS_MAX + " s, found it silent; see " + dataDirectory.resolve("broker.log"));
            }
        }
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** The address for {@code bootstrap.servers}; the same after {@link #restart()}. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Ends the broker at once (SIGKILL) and returns when the process is gone. */
    public void kill() {
        process.destroyForcibly();
        awaitEnd();
    }

    /** Starts the broker again, on the same port and data, after {@link #kill()} or {@link #close()}. */
    public void restart() {
        if (process.isAlive()) {
            throw new IllegalStateException("the broker process " + process.pid() + " is still running");
        }
        process = start(dataDirectory, port).process;
    }

    /** Stops the broker cleanly; by force if that takes longer than half a minute. */
    @Override
    public void close() {
        process.destroy();
        awaitEnd();
    }

    private void awaitEnd() {
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
