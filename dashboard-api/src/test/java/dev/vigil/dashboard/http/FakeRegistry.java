package dev.vigil.dashboard.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.event.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A schema registry on the JDK's HTTP server: answers what it was given, and as a registry does for the rest. */
public final class FakeRegistry implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, byte[]> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private final List<String> authorizations = new CopyOnWriteArrayList<>();
    private volatile int brokenStatus;

    public FakeRegistry() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        server.createContext("/", this::answer);
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    public FakeRegistry schema(int id, String schema) {
        return answer("/schemas/ids/" + id, Map.of("schema", schema));
    }

    public FakeRegistry answer(String path, Object body) {
        answers.put(path, Json.encode(body));
        return this;
    }

    /** Answers everything with this status from now on; 0: as it should. */
    public void breakWith(int status) {
        brokenStatus = status;
    }

    public List<String> asked() {
        return asked;
    }

    List<String> authorizations() {
        return authorizations;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getRawPath();
        asked.add(path);
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
        byte[] body = answers.get(path);
        if (brokenStatus != 0) {
            send(exchange, brokenStatus, "broken".getBytes(StandardCharsets.UTF_8));
        } else if (body != null) {
            send(exchange, 200, body);
        } else {
            send(exchange, 404, Json.encode(Map.of("error_code", 40_403, "message", "Schema not found")));
        }
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", "application/vnd.schemaregistry.v1+json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
