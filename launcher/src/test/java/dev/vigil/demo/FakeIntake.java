package dev.vigil.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** An HTTP intake that keeps what it accepts and answers as told. */
final class FakeIntake implements AutoCloseable {
    private final ObjectMapper json = new ObjectMapper();
    private final HttpServer server;
    private final List<JsonNode> accepted = new ArrayList<>();
    private final Deque<Integer> statuses = new ArrayDeque<>();

    FakeIntake() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/api/v1/events", this::answer);
        server.start();
    }

    URI base() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** The next requests get these; those after them 202. */
    synchronized void answerWith(int... next) {
        for (int status : next) {
            statuses.add(status);
        }
    }

    synchronized List<JsonNode> accepted() {
        return List.copyOf(accepted);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode batch = json.readTree(exchange.getRequestBody());
            int status = statuses.isEmpty() ? 202 : statuses.remove();
            String type = exchange.getRequestHeaders().getFirst("Content-Type");
            if (!exchange.getRequestMethod().equals("POST") || !type.equals("application/cloudevents-batch+json")) {
                status = 415;
            }
            if (status == 202) {
                batch.forEach(accepted::add);
            }
            exchange.sendResponseHeaders(status, -1);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
