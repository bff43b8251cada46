package dev.vigil.alerting.receiver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.event.Alert;
import dev.vigil.event.Json;
import dev.vigil.service.EpochClock;
import dev.vigil.service.ServiceException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The built-in webhook receiver: an HTTP server on 127.0.0.1 that verifies every message, tells a listener of each one
 * that it accepts, keeps the last {@value #KEPT} and counts; a repeated alert id is accepted again and told of. It
 * remembers the ids of all alerts, so it is meant for a demo or a test, not for months.
 *
 * <p>Safe for any thread. The listener is called on the server's threads, one at a time.
 */
public final class WebhookReceiver implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WebhookReceiver.class);
    private static final int KEPT = 1_000;
    private static final int BODY_BYTES_MAX = 1 << 20;
    private static final int THREADS = 16;
    private static final int NO_BODY = -1;

    private final SignatureVerifier verifier;
    private final EpochClock clock;
    private final Consumer<ReceivedAlert> listener;
    private final ExecutorService threads;
    private final HttpServer server;

    private final Set<String> alertIds = new HashSet<>();
    private final Deque<ReceivedAlert> last = new ArrayDeque<>();
    private long accepted;
    private long rejected;
    private long refused;
    private long repeated;
    private volatile Function<Alert, ReceiverAnswer> answers = alert -> ReceiverAnswer.ACCEPT;

    private WebhookReceiver(
            HttpServer server, WebhookSecret secret, EpochClock clock, Consumer<ReceivedAlert> listener) {
        this.server = server;
        this.verifier = new SignatureVerifier(secret);
        this.clock = clock;
        this.listener = listener;
        this.threads = threads();
    }

    /**
     * @param port 0: a free one
     * @throws ServiceException if the port is taken
     */
    public static WebhookReceiver start(
            int port, WebhookSecret secret, EpochClock clock, Consumer<ReceivedAlert> listener) {
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new ServiceException("webhook receiver: port " + port + " cannot be used: " + e.getMessage(), e);
        }
        WebhookReceiver receiver = new WebhookReceiver(server, secret, clock, listener);
        server.createContext("/", receiver::handle);
        server.setExecutor(receiver.threads);
        server.start();
        return receiver;
    }

    private static ExecutorService threads() {
        AtomicInteger number = new AtomicInteger();
        return Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "webhook-receiver-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Where to send to. */
    public String url() {
        return "http://127.0.0.1:" + port() + "/alerts";
    }

    /** From now on answers genuine messages so. For tests. */
    public void answerWith(Function<Alert, ReceiverAnswer> newAnswers) {
        answers = newAnswers;
    }

    public synchronized ReceiverCounts counts() {
        return new ReceiverCounts(accepted, rejected, refused, alertIds.size(), repeated);
    }

    /** The last accepted ones, oldest first. */
    public synchronized List<ReceivedAlert> lastAlerts() {
        return List.copyOf(last);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(BODY_BYTES_MAX);
            Optional<String> problem = verifier.problem(
                    header(exchange, "webhook-id"),
                    header(exchange, "webhook-timestamp"),
                    header(exchange, "webhook-signature"),
                    body,
                    clock.epochMs());
            if (problem.isPresent()) {
                reject(exchange, 401, problem.get());
            } else {
                answer(exchange, body);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return exchange.getRequestHeaders().getFirst(name);
    }

    private void reject(HttpExchange exchange, int statusCode, String problem) throws IOException {
        synchronized (this) {
            rejected++;
        }
        log.warn("webhook receiver: rejected a message: {}", problem);
        exchange.sendResponseHeaders(statusCode, NO_BODY);
    }

    private void answer(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        Alert alert;
        @Nullable String caseId;
        try {
            JsonNode event = Json.mapper().readTree(body);
            alert = Json.mapper().treeToValue(event.required("data"), Alert.class);
            caseId = event.path("vigilcase").textValue();
        } catch (JsonProcessingException | IllegalArgumentException e) {
            reject(exchange, 400, "expected a CloudEvent with an alert as its data");
            return;
        }
        String attempt = header(exchange, "vigil-attempt");
        ReceiverAnswer answer = answers.apply(alert);
        if (!answer.delay().isZero()) {
            Thread.sleep(answer.delay().toMillis());
        }
        if (answer.accepts()) {
            accept(alert, caseId, attempt == null ? 0 : Integer.parseInt(attempt));
        } else {
            synchronized (this) {
                refused++;
            }
        }
        answer.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        exchange.sendResponseHeaders(answer.statusCode(), NO_BODY);
    }

    private synchronized void accept(Alert alert, @Nullable String caseId, int attempt) {
        boolean again = !alertIds.add(alert.alertId());
        ReceivedAlert received = new ReceivedAlert(alert, caseId, attempt, again, clock.epochMs());
        accepted++;
        repeated += again ? 1 : 0;
        last.addLast(received);
        if (last.size() > KEPT) {
            last.removeFirst();
        }
        listener.accept(received);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
