package dev.vigil.service.kafka;

import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Asks for a sign of life. Kafka's clients wait a minute for a broker, which is right for a service and too long for a
 * person at a prompt.
 */
public final class BrokerCheck {
    private static final String CLIENT = "vigil-broker-check";

    private BrokerCheck() {}

    /** What came of asking. */
    public enum Outcome {
        ANSWERS,
        /** A connection was made, and then nothing came: a busy machine, or something else than Kafka. */
        SILENT,
        /** Of no address a connection was made: refused, or not in time. */
        NOTHING_LISTENS,
        /** Of no address the host is known. */
        UNKNOWN_HOST
    }

    /**
     * Whether a broker answers. Blocks until one does, or none listens, or for about as long as the two say together.
     *
     * @param toConnect how long to wait for a connection to an address
     * @param toAnswer how long to wait for an answer where a connection stands; on a machine that has much to do, that
     *     takes its time
     * @throws ServiceException if one answers and refuses, or the configuration cannot be meant
     */
    public static Outcome ask(KafkaConfig config, Duration toConnect, Duration toAnswer) {
        List<InetSocketAddress> addresses =
                BrokerAddresses.parse(config.bootstrapServers()).known();
        if (addresses.isEmpty()) {
            return Outcome.UNKNOWN_HOST;
        }
        if (!anyListens(addresses, toConnect)) {
            return Outcome.NOTHING_LISTENS;
        }
        return answersKafka(config, toAnswer) ? Outcome.ANSWERS : Outcome.SILENT;
    }

    /** Since a client tries a closed port again and again until its patience ends. */
    private static boolean anyListens(List<InetSocketAddress> addresses, Duration patience) {
        for (InetSocketAddress address : addresses) {
            try (Socket socket = new Socket()) {
                socket.connect(address, (int) patience.toMillis());
                return true;
            } catch (IOException e) {
                // Closed; the next one may listen.
            }
        }
        return false;
    }

    private static boolean answersKafka(KafkaConfig config, Duration patience) {
        int patienceMs = Math.toIntExact(patience.toMillis());
        Admin admin;
        try {
            admin = KafkaClients.admin(
                    config,
                    CLIENT,
                    Map.of(
                            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMs,
                            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMs));
        } catch (KafkaException e) {
            throw refused(config, e);
        }
        try {
            var unused = admin.describeCluster().clusterId().get(patienceMs, TimeUnit.MILLISECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RetriableException) {
                return false;
            }
            throw refused(config, e);
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted while asking for a broker", e);
        } finally {
            admin.close(Duration.ZERO);
        }
    }

    private static ServiceException refused(KafkaConfig config, Exception e) {
        Throwable cause = Objects.requireNonNullElse(e.getCause(), e);
        return new ServiceException("Kafka at " + config.bootstrapServers() + ": " + cause.getMessage(), cause);
    }
}
