package dev.vigil.alerting.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.HttpServer;
import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Answer;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.Dns;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(180)
final class HttpTransportTest {
    private static final WebhookSecret SECRET = new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final String PATH = "/hook?token=hush";
    private static final long NOW_MS = 1_614_265_330_999L;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void closeAll() throws Exception {
        for (AutoCloseable resource : open) {
            resource.close();
        }
    }

    @Test
    void shouldPostTheSignedBodyAsItIs() throws Exception {
        BlockingQueue<Map<String, List<String>>> headers = new LinkedBlockingQueue<>();
        BlockingQueue<byte[]> bodies = new LinkedBlockingQueue<>();
        HttpServer server = server();
        server.createContext("/", exchange -> {
            headers.add(Map.copyOf(exchange.getRequestHeaders()));
            bodies.add(exchange.getRequestBody().readAllBytes());
            exchange.sendResponseHeaders(201, -1);
            exchange.close();
        });

        Answer answer = send(localUrl(server.getAddress().getPort()), Duration.ofSeconds(60));

        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(new String(bodies.remove(), StandardCharsets.UTF_8)).isEqualTo("{\"test\": 2432232314}");
        assertThat(headers.remove())
                .containsEntry("Webhook-id", List.of("msg_p5jXN8AQM9LWM0D4loKWxJek"))
                .containsEntry("Webhook-timestamp", List.of("1614265330"))
                .containsEntry("Webhook-signature", List.of("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="))
                .containsEntry("Vigil-attempt", List.of("2"))
                .containsEntry("Vigil-age", List.of("65"))
                .containsEntry("Content-type", List.of("application/cloudevents+json; charset=utf-8"));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void shouldNotFollowRedirects(int statusCode) throws Exception {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = server();
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            exchange.getResponseHeaders().set("Location", "/elsewhere");
            exchange.sendResponseHeaders(statusCode, -1);
            exchange.close();
        });

        Answer answer = send(localUrl(server.getAddress().getPort()), Duration.ofSeconds(60));

        assertThat(answer.statusCode()).isEqualTo(statusCode);
        assertThat(requests).hasValue(1);
    }

    @Test
    void shouldReadRetryAfter() throws Exception {
        HttpServer server = server();
        server.createContext("/", exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "17");
            exchange.sendResponseHeaders(429, -1);
            exchange.close();
        });

        assertThat(send(localUrl(server.getAddress().getPort()), Duration.ofSeconds(60))
                        .retryAfterMs())
                .hasValue(17_000);
    }

    @Test
    void shouldNotWaitForAnAnswersEndlessBody() throws Exception {
        int port = rawServer(socket -> {
            OutputStream out = socket.getOutputStream();
            out.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            byte[] chunk = ("10000\r\n" + "x".repeat(65_536) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            while (!socket.isClosed()) {
                out.write(chunk);
            }
        });

        assertThat(send(localUrl(port), Duration.ofSeconds(60)).statusCode()).isEqualTo(200);
    }

    @Test
    void shouldEndAnAttemptThatGetsNoAnswer() throws Exception {
        int port = rawServer(socket -> socket.getInputStream().readAllBytes());

        assertThat(send(localUrl(port), Duration.ofMillis(300)).problem()).isEqualTo("no answer within the time-out");
    }

    @Test
    void shouldEndAnAttemptWhoseAnswerDripsWhateverTheReadTimeOut() throws Exception {
        int port = rawServer(socket -> {
            OutputStream out = socket.getOutputStream();
            for (int i = 0; i < 1_000; i++) {
                out.write('H');
                out.flush();
                Thread.sleep(50);
            }
        });

        assertThat(send(localUrl(port), Duration.ofMillis(400)).problem()).isEqualTo("no answer within the time-out");
    }

    @Test
    void shouldTellAConnectionThatIsRefused() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        assertThat(send(localUrl(port), Duration.ofSeconds(60)).problem())
                .isEqualTo("no connection: refused or not reachable");
    }

    @Test
    void shouldTellAConnectionThatBreaks() throws Exception {
        int port = rawServer(Socket::close);

        assertThat(send(localUrl(port), Duration.ofSeconds(60)).problem())
                .startsWith("the connection broke")
                .doesNotContain("hush");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"127.0.0.1", "169.254.169.254", "10.1.2.3", "::1", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::"})
    void shouldRefuseANameThatResolvesToAnAddressThatIsNotPublic(String address) throws Exception {
        Answer answer = sendPublic("http://rebound.example" + PATH, resolvingTo("8.8.8.8", address));

        assertThat(answer.problem()).startsWith("refused: the address").endsWith("is not public");
    }

    @Test
    void shouldTellANameThatIsNotFound() throws Exception {
        Answer answer = sendPublic("https://nowhere.example" + PATH, host -> {
            throw new UnknownHostException(host + PATH);
        });

        assertThat(answer.problem()).isEqualTo("the host name is not found");
    }

    /** The name is public when it is looked up; the socket must not be opened to anything else. */
    @Test
    void shouldCheckTheAddressThatASocketConnectsTo() throws Exception {
        HttpServer server = server();
        InetSocketAddress target =
                new InetSocketAddress("127.0.0.1", server.getAddress().getPort());

        try (Socket socket = AddressGuard.publicOnlySockets().createSocket()) {
            assertThat(catchThrowable(() -> socket.connect(target, 1_000)))
                    .isInstanceOf(AddressGuard.RefusedException.class)
                    .hasMessage("refused: the address 127.0.0.1 is not public");
            assertThat(socket.isConnected()).isFalse();
        }
    }

    @Test
    void shouldAnswerWhatIsUnderWayWhenClosed() throws Exception {
        int port = rawServer(socket -> socket.getInputStream().readAllBytes());
        HttpTransport transport = transport(EndpointConfig.ofPrivate("desk", localUrl(port), SECRET), Dns.SYSTEM);
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        transport.send("desk", message(), answer::complete);

        transport.close();

        assertThat(answer.get(90, TimeUnit.SECONDS).problem()).isNotNull();
    }

    private Answer send(String url, Duration timeout) throws Exception {
        return send(EndpointConfig.ofPrivate("desk", url, SECRET).withTimeout(timeout), Dns.SYSTEM);
    }

    private Answer sendPublic(String url, Dns dns) throws Exception {
        return send(EndpointConfig.of("desk", url, SECRET).withTimeout(Duration.ofSeconds(60)), dns);
    }

    private Answer send(EndpointConfig endpoint, Dns dns) throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        transport(endpoint, dns).send(endpoint.name(), message(), answer::complete);
        return answer.get(90, TimeUnit.SECONDS);
    }

    private HttpTransport transport(EndpointConfig endpoint, Dns dns) {
        HttpTransport transport = new HttpTransport(List.of(endpoint), () -> NOW_MS, dns);
        open.add(transport);
        return transport;
    }

    private static AlertMessage message() {
        return new AlertMessage(
                TestAlerts.at(1).ingestedAt(NOW_MS - 65_999).alertWithId("msg_p5jXN8AQM9LWM0D4loKWxJek"),
                2,
                false,
                "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8));
    }

    private static Dns resolvingTo(String... addresses) {
        return host -> {
            List<InetAddress> resolved = new ArrayList<>();
            for (String address : addresses) {
                resolved.add(InetAddress.getByName(address));
            }
            return resolved;
        };
    }

    private static String localUrl(int port) {
        return "http://127.0.0.1:" + port + PATH;
    }

    private HttpServer server() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        open.add(() -> server.stop(0));
        return server;
    }

    private interface Conversation {
        void with(Socket socket) throws Exception;
    }

    /** Speaks what the conversation says instead of HTTP. */
    private int rawServer(Conversation conversation) throws Exception {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        open.add(server);
        Thread thread = new Thread(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    conversation.with(socket);
                } catch (Exception e) {
                    // The client went away, or the test is over: the next conversation, or the loop's end.
                    continue;
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return server.getLocalPort();
    }
}
