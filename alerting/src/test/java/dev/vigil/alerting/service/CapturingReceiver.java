package dev.vigil.alerting.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.alerting.WebhookSecret;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.ToIntFunction;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A receiver that keeps every message as it came and answers what the test says; verifies nothing by itself. */
final class CapturingReceiver implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(16);
    private final List<Message> messages = new CopyOnWriteArrayList<>();
    private volatile ToIntFunction<String> statuses = id -> 204;

    /** @param status that it was answered with */
    record Message(String id, String timestamp, String signatures, boolean redelivery, byte[] body, int status) {
        boolean isSignedBy(String secret) {
            ByteArrayOutputStream signed = new ByteArrayOutputStream();
            signed.writeBytes((id + '.' + timestamp + '.').getBytes(StandardCharsets.UTF_8));
            signed.writeBytes(body);
            try {
                Mac mac = Mac.getInstance("HmacSHA256");
                mac.init(new SecretKeySpec(new WebhookSecret(secret).key(), "HmacSHA256"));
                String expected = "v1," + Base64.getEncoder().encodeToString(mac.doFinal(signed.toByteArray()));
                return Arrays.asList(signatures.split(" ")).contains(expected);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    CapturingReceiver() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::take);
        server.setExecutor(threads);
        server.start();
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            int answer = statuses.applyAsInt(header(exchange, "webhook-id"));
            messages.add(new Message(
                    header(exchange, "webhook-id"),
                    header(exchange, "webhook-timestamp"),
                    header(exchange, "webhook-signature"),
                    header(exchange, "vigil-redelivery").equals("true"),
                    body,
                    answer));
            exchange.sendResponseHeaders(answer, -1);
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return String.valueOf(exchange.getRequestHeaders().getFirst(name));
    }

    void answer(int status) {
        statuses = id -> status;
    }

    /** @param newStatuses by message id */
    void answerWith(ToIntFunction<String> newStatuses) {
        statuses = newStatuses;
    }

    List<Message> messages() {
        return List.copyOf(messages);
    }

    List<Message> accepted() {
        return messages.stream().filter(message -> message.status() == 204).toList();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
