package dev.vigil.embedded;

import java.nio.file.Path;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real Kafka broker (KRaft, one node in both roles) inside this JVM. It keeps its records, its cluster id and its
 * ports in the data directory: a later start on the same directory continues with the same topics and, where they are
 * still free, on the same ports.
 *
 * <p>Topics are never created by themselves. A topic takes the broker's defaults unless it is created with settings of
 * its own, {@code message.timestamp.type=LogAppendTime} among them.
 *
 * <p>Kafka logs through SLF4J under {@code kafka}, {@code state} and {@code org.apache.kafka}. For a quiet start set those
 * to WARN and {@code org.apache.kafka.controller} to ERROR: it warns whenever it becomes the active controller.
 * Safe for use by several threads once started. If the broker fails later, for instance because its disk is full, it
 * logs one line and halts the JVM, as a broker does.
 */
public final class EmbeddedKafka implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(EmbeddedKafka.class);
    private static final int ANY_PORT = 0;

    private final DirectoryLock lock;
    private final KafkaRaftServer server;
    private final int port;
    private boolean closed;

    private EmbeddedKafka(DirectoryLock lock, KafkaRaftServer server, int port) {
        this.lock = lock;
        this.server = server;
        this.port = port;
    }

    /**
     * Starts a broker on the ports that the directory keeps, or on free ones. Returns when clients can connect.
     *
     * @throws EmbeddedStartException with a one-line reason; nothing is left running
     */
    public static EmbeddedKafka start(Path dataDirectory) {
        return start(dataDirectory, ANY_PORT);
    }

    /**
     * Starts a broker on exactly this port.
     *
     * @throws EmbeddedStartException if the port is taken or the broker does not start; nothing is left running
     */
    public static EmbeddedKafka start(Path dataDirectory, int port) {
        // One at a time, so that two starts in one JVM do not pick the same port and exits are told apart.
        synchronized (EmbeddedKafka.class) {
            DirectoryLock lock = DirectoryLock.acquire(dataDirectory, "Kafka");
            try {
                return startLocked(lock, dataDirectory, port);
            } catch (RuntimeException e) {
                lock.close();
                throw e;
            }
        }
    }

    private static EmbeddedKafka startLocked(DirectoryLock lock, Path dataDirectory, int port) {
        Path logDirectory = BrokerStorage.prepare(dataDirectory);
        KeptPorts ports = KeptPorts.load(dataDirectory.resolve("ports.properties"));
        int brokerPort = port == ANY_PORT ? ports.portFor("broker") : ports.fixedPort("broker", "Kafka", port);
        int controllerPort = ports.portFor("controller");
        KafkaConfig config = new KafkaConfig(BrokerSettings.of(logDirectory, brokerPort, controllerPort), false);
        return new EmbeddedKafka(lock, startServer(config, dataDirectory), brokerPort);
    }

    private static KafkaRaftServer startServer(KafkaConfig config, Path dataDirectory) {
        BrokerExits exits = BrokerExits.install();
        KafkaRaftServer server = null;
        try {
            server = new KafkaRaftServer(config, Time.SYSTEM);
            server.startup();
        } catch (RuntimeException e) {
            stopAfterFailedStart(server);
            throw startFailure(dataDirectory, e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
        String failure = exits.failedStart();
        if (failure != null) {
            stopAfterFailedStart(server);
            throw startFailure(dataDirectory, failure, null);
        }
        exits.started();
        return server;
    }

    private static EmbeddedStartException startFailure(Path dataDirectory, String reason, @Nullable Throwable cause) {
        String message = "Kafka: expected a broker to start in " + dataDirectory + ", found: " + reason;
        return cause == null ? new EmbeddedStartException(message) : new EmbeddedStartException(message, cause);
    }

    private static void stopAfterFailedStart(@Nullable KafkaRaftServer server) {
        if (server == null) {
            return;
        }
        try {
            server.shutdown();
        } catch (RuntimeException e) {
            log.warn("the broker that failed to start did not stop cleanly either: {}", e.toString());
        }
    }

    /** The address for {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    public int port() {
        return port;
    }

    /** Stops the broker and returns when its log is flushed and its ports are free. Closing twice does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            server.shutdown();
            server.awaitShutdown();
        } finally {
            lock.close();
        }
    }
}
