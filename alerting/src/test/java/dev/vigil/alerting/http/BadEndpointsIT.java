package dev.vigil.alerting.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.BatchBuilder;
import dev.vigil.alerting.Dispatcher;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WakeUp;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.rocksdb.RocksDbOutbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Eight endpoints that take everything beside three that do not, over real connections. */
final class BadEndpointsIT {
    private static final WebhookSecret SECRET = new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final int ALERTS = 1_000;
    /** Longer than the test takes, so that what ends before has not waited for it. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    @Test
    void shouldDeliverToTheOthersBeforeABlackHoleHasTimedOut() throws Exception {
        List<EndpointConfig> endpoints = new ArrayList<>();
        endpoints.add(endpoint("silent", silent()));
        endpoints.add(endpoint("dripping", dripping()));
        endpoints.add(endpoint("refusing", refusing()));
        List<String> good = IntStream.range(0, 8).mapToObj(i -> "good-" + i).toList();
        int port = accepting();
        good.forEach(name -> endpoints.add(endpoint(name, port)));
        WakeUp wakeUp = new WakeUp();
        AlertingConfig config = AlertingConfig.of(endpoints.toArray(EndpointConfig[]::new));
        Outbox outbox = closedLater(RocksDbOutbox.open(directory.resolve("outbox")));
        HttpTransport transport = closedLater(new HttpTransport(endpoints, System::currentTimeMillis));
        Dispatcher dispatcher = new Dispatcher(
                outbox, transport, config, System::currentTimeMillis, new SplittableRandom(1), latencyMs -> {}, wakeUp);
        String[] names = endpoints.stream().map(EndpointConfig::name).toArray(String[]::new);
        for (int offset = 0; offset < ALERTS; offset++) {
            outbox.accept(new BatchBuilder()
                    .alert(TestAlerts.at(offset), System.currentTimeMillis(), names)
                    .build());
        }
        int threadsBefore = Thread.activeCount();
        int threadsMost = 0;

        long giveUpAtNs = System.nanoTime() + TIMEOUT.toNanos();
        while (!good.stream().allMatch(name -> outbox.counts().endpoint(name).delivered() == ALERTS)) {
            assertThat(System.nanoTime()).as("still %s", dispatcher.endpoints()).isLessThan(giveUpAtNs);
            wakeUp.await(Math.min(100, Math.max(1, dispatcher.doWork())));
            threadsMost = Math.max(threadsMost, Thread.activeCount() - threadsBefore);
        }

        for (String bad : List.of("silent", "dripping")) {
            assertThat(outbox.counts().endpoint(bad).failedAttempts()).as(bad).isZero();
            assertThat(outbox.counts().endpoint(bad).pending()).as(bad).isEqualTo(ALERTS);
        }
        assertThat(outbox.counts().endpoint("refusing").pending()).isEqualTo(ALERTS);
        int perEndpoint = endpoints.get(0).maxInFlight();
        assertThat(threadsMost).isLessThan(endpoints.size() * (perEndpoint + 2));
    }

    private static EndpointConfig endpoint(String name, int port) {
        return EndpointConfig.ofPrivate(name, "http://127.0.0.1:" + port + "/hook", SECRET)
                .withTimeout(TIMEOUT);
    }

    private int accepting() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        open.add(() -> {
            server.stop(0);
            threads.shutdown();
        });
        return server.getAddress().getPort();
    }

    /** Takes connections and says nothing. */
    private int silent() throws IOException {
        return closedLater(new ServerSocket(0, 500, InetAddress.getLoopbackAddress()))
                .getLocalPort();
    }

    private int refusing() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Answers with a byte a second. */
    private int dripping() throws IOException {
        ServerSocket server = closedLater(new ServerSocket(0, 500, InetAddress.getLoopbackAddress()));
        Thread dripper = new Thread(() -> drip(server), "dripping-receiver");
        dripper.setDaemon(true);
        dripper.start();
        open.add(() -> dripper.join(TimeUnit.SECONDS.toMillis(10)));
        return server.getLocalPort();
    }

    private static void drip(ServerSocket server) {
        List<Socket> sockets = new ArrayList<>();
        byte[] answer = "HTTP/1.1 204 No Content\r\nx: ".getBytes(StandardCharsets.US_ASCII);
        try {
            server.setSoTimeout(1_000);
            for (int sent = 0; ; ) {
                try {
                    sockets.add(server.accept());
                } catch (SocketTimeoutException e) {
                    byte next = sent < answer.length ? answer[sent] : (byte) 'x';
                    sent++;
                    for (Socket socket : sockets) {
                        socket.getOutputStream().write(next);
                    }
                }
            }
        } catch (IOException e) {
            sockets.forEach(BadEndpointsIT::close); // the test is over
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private <T extends AutoCloseable> T closedLater(T resource) {
        open.add(0, resource);
        return resource;
    }
}
