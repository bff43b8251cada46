package dev.vigil.alerting.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Answer;
import dev.vigil.alerting.Channel;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What arrives at receivers of other kinds than webhooks. */
final class ChannelsTest {
    private static final WebhookSecret SECRET = new WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

    private final BlockingQueue<JsonNode> bodies = new LinkedBlockingQueue<>();
    private final BlockingQueue<Map<String, List<String>>> headers = new LinkedBlockingQueue<>();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            bodies.add(Json.mapper().readTree(exchange.getRequestBody().readAllBytes()));
            headers.add(Map.copyOf(exchange.getRequestHeaders()));
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void shouldTellSlackInAFewLines() throws Exception {
        send(new Channel.Slack(), TestAlerts.at(7).alert());

        assertThat(headers.remove()).containsEntry("Content-type", List.of("application/json; charset=utf-8"));
        assertThat(bodies.remove().path("text").asText()).isEqualTo("""
                *DECLINE 85: account acc-7, 1250 EUR*
                • many payments, unusually high (velocity, 35)
                transaction tx-7 of 2026-03-01T12:00:00Z, policy card-fraud version 3, alert alert-0-7""");
    }

    @Test
    void shouldNotLetTextOfEventsMentionAnybodyOrMakeLinks() throws Exception {
        send(
                new Channel.Slack(),
                TestAlerts.at(7).of("<!channel> & <https://evil.example|x>").alert());

        assertThat(bodies.remove().path("text").asText())
                .contains("account &lt;!channel&gt; &amp; &lt;https://evil.example|x&gt;")
                .doesNotContain("<");
    }

    @Test
    void shouldTriggerAPagerDutyEventThatARepeatDoesNotTriggerAgain() throws Exception {
        Channel channel = new Channel.PagerDuty("0123456789abcdef0123456789abcdef");
        send(channel, TestAlerts.at(7).alert());
        send(channel, TestAlerts.at(7).alert());

        JsonNode event = bodies.remove();
        assertThat(bodies.remove()).isEqualTo(event);
        assertThat(event.path("routing_key").asText()).isEqualTo("0123456789abcdef0123456789abcdef");
        assertThat(event.path("event_action").asText()).isEqualTo("trigger");
        assertThat(event.path("dedup_key").asText()).isEqualTo("alert-0-7");
        JsonNode payload = event.path("payload");
        assertThat(payload.path("summary").asText()).isEqualTo("DECLINE 85: account acc-7, 1250 EUR");
        assertThat(payload.path("source").asText()).isEqualTo("postgres/transactions");
        assertThat(payload.path("severity").asText()).isEqualTo("critical");
        assertThat(payload.path("timestamp").asText()).isEqualTo("2026-03-01T12:00:00Z");
        assertThat(payload.at("/custom_details/rules/velocity").asText()).isEqualTo("many payments, unusually high");
    }

    @Test
    void shouldPageLessForWhatIsOnlyToBeLookedAt() throws Exception {
        send(
                new Channel.PagerDuty("0123456789abcdef0123456789abcdef"),
                TestAlerts.at(7).decided(Decision.REVIEW).alert());

        assertThat(bodies.remove().at("/payload/severity").asText()).isEqualTo("warning");
    }

    private void send(Channel channel, Alert alert) throws Exception {
        String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
        EndpointConfig endpoint = EndpointConfig.ofPrivate("desk", url, SECRET).withChannel(channel);
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        try (HttpTransport transport = new HttpTransport(List.of(endpoint), () -> 0)) {
            transport.send(
                    "desk", new AlertMessage(alert, 1, false, "{}".getBytes(StandardCharsets.UTF_8)), answer::complete);
            assertThat(answer.get(90, TimeUnit.SECONDS).statusCode()).isEqualTo(202);
        }
    }
}
