package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.dashboard.status.StatusBoard;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HostileRequestsTest {
    private PageHarness harness;
    private ApiClient client;

    @BeforeEach
    void start() {
        harness = PageHarness.started();
        client = new ApiClient(harness.url());
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    // Field case F02.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/assets/../openapi.yaml",
                "/assets/../../application.conf",
                "/assets/%2e%2e/openapi.yaml",
                "/assets/..%2Fopenapi.yaml",
                "/assets/..%5copenapi.yaml",
                "/assets/..\\openapi.yaml",
                "/assets/%252e%252e/openapi.yaml",
                "//etc/passwd",
                "/assets//etc/passwd",
                "/assets/lib/../../../../etc/passwd",
                "/assets/..;/openapi.yaml",
                "/assets/app.js%00.html",
                "/api/v1/alerts/..%2f..%2f..%2fetc%2fpasswd",
                "/api/v1/alerts/%2e%2e%2f%2e%2e",
                "/dev/vigil/dashboard/openapi.yaml",
                "/META-INF/MANIFEST.MF"
            })
    void shouldServeNothingOutsideItsListOfFiles(String path) {
        String answer = RawHttp.get(harness.server.port(), path);
        assertThat(RawHttp.status(answer)).as(answer).isIn(400, 404);
        assertThat(answer).contains("application/problem+json").doesNotContain("root:", "openapi: 3.1", "at dev.vigil");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\0\0\0\0",
                "\0\0\0\0{\"sql\":\"SELECT 1\"}",
                "\0{\"sql\":\"SELECT 1\"}",
                "\0\0{\"sql\"",
                "{\0\0\0\uffff",
                "null",
                "{\"sql\":\"SELECT 1\",\"limit\":1e2147483647}",
                ""
            })
    void shouldAnswer400ToQueriesThatAreNoJsonInWhateverEncoding(String body) {
        var answer = client.post("/api/v1/query", "application/json", body);
        assertThat(answer.status()).as(answer.body()).isEqualTo(400);
        assertThat(answer.json().path("type").asText()).isEqualTo("urn:vigil:problem:bad-query");
    }

    // Field case F17.
    @Test
    void shouldTellAnErrorIdAndNothingOfTheInsideWhenItFails() {
        var answer = client.send(client.request("/api/v1/query")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"sql\":\"select boom\"}")));
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.json().path("error_id").asText()).isNotEmpty();
        assertThat(answer.body()).doesNotContain("jdbc", "internal-host", "boom", "Exception", "at ");
    }

    // Field case F14.
    @Test
    void shouldKeepTheNumberOfSeriesFlatWhateverPathsAreAsked() {
        client.get("/api/v1/alerts/first");
        client.send(client.request("/nothing").GET());
        long before = series();
        for (int i = 0; i < 50; i++) {
            client.get("/api/v1/alerts/other-" + i);
            client.send(client.request("/nothing/" + i).GET());
            client.get("/api/v1/alerts?account=acc-" + i);
        }
        client.send(client.request("/nothing").method("BREW" + System.nanoTime(), HttpRequest.BodyPublishers.noBody()));
        assertThat(series()).isLessThanOrEqualTo(before + 6);
    }

    private long series() {
        return harness.meters
                .scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .count();
    }

    // Field case F13.
    @Test
    void shouldAnswerOthersWhileManyClientsTrickleTheirBodies() throws IOException {
        String head =
                "POST /api/v1/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/cloudevents+json\r\n"
                        + "Content-Length: 5000\r\n\r\n{";
        List<Socket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket("127.0.0.1", harness.server.port());
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                sockets.add(socket);
            }
            assertThat(client.get("/health").status()).isEqualTo(200);
            assertThat(client.post("/api/v1/events", "application/cloudevents+json", "{}")
                            .status())
                    .isEqualTo(400);
        } finally {
            for (Socket socket : sockets) {
                socket.close();
            }
        }
    }

    @Test
    void shouldSendProtectiveHeadersWithEveryAnswer() {
        for (String path : List.of("/", "/docs", "/assets/app.js", "/api/v1/status", "/nothing", "/assets/%2e%2e/x")) {
            String answer = RawHttp.get(harness.server.port(), path);
            assertThat(answer)
                    .as(path)
                    .contains("X-Content-Type-Options: nosniff", "X-Frame-Options: DENY", "Content-Security-Policy: ")
                    .doesNotContain("Access-Control-Allow-Origin", "Server: ");
        }
        String page = RawHttp.get(harness.server.port(), "/");
        assertThat(page).contains("script-src 'self' 'sha256-").doesNotContain("unsafe-inline");
    }

    // Field case F06: there is no cross-origin access at all.
    @ParameterizedTest
    @ValueSource(strings = {"https://evil.example", "null", "http://localhost.evil.example"})
    void shouldAllowNoForeignOrigin(String origin) {
        int port = harness.server.port();
        assertThat(RawHttp.get(port, "/api/v1/status", "Origin: " + origin)).doesNotContain("Access-Control");
        String preflight = RawHttp.exchange(
                port,
                "OPTIONS /api/v1/events HTTP/1.1\r\nHost: localhost\r\nOrigin: " + origin
                        + "\r\nAccess-Control-Request-Method: POST\r\nConnection: close\r\n\r\n");
        assertThat(preflight).doesNotContain("Access-Control");
        assertThat(RawHttp.status(preflight)).isEqualTo(405);
    }

    @Test
    void shouldRefuseForeignHostNamesWhileItListensOnTheLoopbackAddress() {
        int port = harness.server.port();
        assertThat(RawHttp.status(RawHttp.get(port, "/api/v1/status", "Host: evil.example")))
                .isEqualTo(403);
        assertThat(RawHttp.status(RawHttp.get(port, "/api/v1/status", "Host: LOCALHOST:" + port)))
                .isEqualTo(200);
        assertThat(RawHttp.status(RawHttp.get(port, "/api/v1/status", "Host: 127.0.0.1")))
                .isEqualTo(200);
        assertThat(RawHttp.status(RawHttp.get(port, "/api/v1/status", "Host: [::1]:" + port)))
                .isEqualTo(200);
    }

    @Test
    void shouldAnswerUnderAllowedHostNames() {
        HttpConfig config = new HttpConfig("127.0.0.1", 0, List.of("vigil.example"));
        try (ServiceEndpoint endpoint =
                ServiceEndpoint.start(config, "http", new StatusBoard(), () -> 0, new SimpleMeterRegistry())) {
            assertThat(RawHttp.status(RawHttp.get(endpoint.port(), "/health", "Host: vigil.example")))
                    .isEqualTo(200);
            assertThat(RawHttp.status(RawHttp.get(endpoint.port(), "/health", "Host: evil.example")))
                    .isEqualTo(403);
        }
    }

    @Test
    void shouldAnswerOtherMethodsWithAProblem() {
        String answer = RawHttp.exchange(
                harness.server.port(),
                "DELETE /api/v1/alerts HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        assertThat(RawHttp.status(answer)).isEqualTo(405);
        assertThat(answer).contains("application/problem+json");
    }

    @Test
    void shouldAnswerAnUnchangedFileWithoutItsContent() {
        var first = client.send(client.request("/assets/app.js").GET());
        assertThat(first.header("Content-Type")).startsWith("text/javascript");
        var second = client.send(client.request("/assets/app.js")
                .header("If-None-Match", first.header("ETag"))
                .GET());
        assertThat(second.status()).isEqualTo(304);
        assertThat(second.body()).isEmpty();
    }
}
