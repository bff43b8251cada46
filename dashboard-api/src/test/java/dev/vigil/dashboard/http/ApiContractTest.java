package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.service.VigilVersion;
import io.javalin.Javalin;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every answer that the client gets here is held against the OpenAPI document. */
final class ApiContractTest {
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

    @Test
    void shouldHaveExactlyTheDocumentedRoutes() {
        Set<String> routes = new TreeSet<>();
        Javalin javalin =
                Javalin.create(config -> harness.server.routes().forEach(group -> group.register(config.routes)));
        javalin.unsafe.internalRouter.allHttpHandlers().forEach(handler -> {
            String path = handler.endpoint.path;
            boolean isPage = path.startsWith("/assets/") || path.equals("/") || path.equals("/docs");
            if (!isPage && handler.endpoint.method.isHttpMethod()) {
                routes.add(handler.endpoint.method.name() + " " + path);
            }
        });
        assertThat(routes).isEqualTo(new ApiDocument().operations());
    }

    @Test
    void shouldTellStatusesAndFiguresAsDocumented() {
        harness.tick(400);
        harness.tick(220);

        assertThat(client.get("/api/v1/status").json().path("services")).hasSize(5);
        var live = client.get("/api/v1/metrics/live").json();
        assertThat(live.path("events_per_second").asDouble()).isPositive();
        assertThat(live.path("partitions")).hasSize(4);
        assertThat(live.path("commit").path("table").asText()).isEqualTo("scored_events");
        assertThat(client.get("/api/v1/metrics/history").json().path("points")).hasSize(2);
        assertThat(client.get("/api/v1/info").json().path("capabilities")).hasSize(4);
        assertThat(client.get("/api/v1/info").json().path("version").asText()).isEqualTo(VigilVersion.current());
        assertThat(client.get("/health").status()).isEqualTo(200);
        assertThat(client.get("/ready").status()).isEqualTo(200);
        assertThat(client.get("/metrics").body()).contains("vigil_http_requests_seconds_count");
        assertThat(client.get("/openapi.yaml").body()).startsWith("openapi: 3.1");
        assertThat(client.get("/api/v1/openapi.yaml").status()).isEqualTo(200);
    }

    @Test
    void shouldTellNothingThatIsNotKnown() {
        try (PageHarness empty = new PageHarness(1_800_000_000_000L, 0, null, 8)) {
            empty.server.start("dashboard");
            ApiClient emptyClient = new ApiClient(empty.url());
            assertThat(emptyClient.get("/api/v1/metrics/live").json().properties())
                    .extracting(java.util.Map.Entry::getKey)
                    .containsExactlyInAnyOrder("at_ms", "partitions", "services");
            assertThat(emptyClient.get("/api/v1/alerts").json().path("alerts")).isEmpty();
            assertThat(emptyClient.get("/api/v1/scored/recent").json().path("events"))
                    .isEmpty();
            assertThat(emptyClient
                            .post("/api/v1/query", "application/json", "{\"sql\":\"SELECT 1\"}")
                            .status())
                    .isEqualTo(501);
        }
    }

    @Test
    void shouldTellRecentAlertsWithTheirDeliveriesNewestFirst() {
        Alert first = harness.raise();
        harness.tick(10);
        Alert second = harness.raise();
        harness.deliver(first, Delivery.Outcome.FAILED, 1);
        harness.deliver(first, Delivery.Outcome.DELIVERED, 2);
        harness.deliver(second, Delivery.Outcome.SUPPRESSED, 0);

        var alerts = client.get("/api/v1/alerts").json().path("alerts");
        assertThat(alerts).hasSize(2);
        assertThat(alerts.get(0).at("/alert/alert_id").asText()).isEqualTo(second.alertId());
        assertThat(alerts.get(0).at("/delivery/state").asText()).isEqualTo("suppressed");
        assertThat(alerts.get(1).at("/delivery/state").asText()).isEqualTo("delivered");
        assertThat(alerts.get(1).at("/delivery/endpoints/0/attempt").asInt()).isEqualTo(2);

        assertThat(client.get("/api/v1/alerts?limit=1").json().path("alerts")).hasSize(1);
        assertThat(client.get("/api/v1/alerts?account=nobody").json().path("alerts"))
                .isEmpty();
        assertThat(client.get("/api/v1/alerts/" + first.alertId())
                        .json()
                        .at("/alert/account")
                        .asText())
                .isEqualTo(first.account());
        var events = client.get("/api/v1/scored/recent?account=" + first.account() + "&limit=3")
                .json();
        assertThat(events.path("events")).hasSize(3);
    }

    @Test
    void shouldRefuseWhatItCannotAnswer() {
        assertThat(client.get("/api/v1/alerts/none").status()).isEqualTo(404);
        for (String limit : new String[] {"0", "-1", "1001", "abc", "100000000"}) {
            assertThat(client.get("/api/v1/alerts?limit=" + limit).status()).isEqualTo(400);
            assertThat(client.get("/api/v1/scored/recent?limit=" + limit).status())
                    .isEqualTo(400);
        }
        assertThat(client.get("/api/v1/alerts?account=" + "a".repeat(257)).status())
                .isEqualTo(400);
    }

    @Test
    void shouldAnswerQueriesInValidJsonWhateverTheValues() {
        var answer = client.post("/api/v1/query", "application/json", "{\"sql\":\"SELECT 1\"}")
                .json();
        assertThat(answer.at("/rows/0/0").asText()).isEqualTo("approve");
        assertThat(answer.at("/rows/1/2").isNull()).as("NaN").isTrue();
        assertThat(answer.at("/rows/0/3").asText()).as("beyond 2^53").isEqualTo("9223372036854775807");
        assertThat(answer.at("/rows/0/4").asText()).as("a list").isEqualTo("[{\"rule\":\"velocity\"}]");
    }

    @Test
    void shouldTellWhatIsWrongWithAQueryAndNothingOfItsInside() {
        assertThat(client.post("/api/v1/query", "application/json", "{\"sql\":\"DROP TABLE x\"}")
                        .json()
                        .path("detail")
                        .asText())
                .isEqualTo("expected a SELECT statement");
        for (String body : new String[] {
            "",
            "{",
            "[]",
            "{\"sql\":\"\"}",
            "{\"sql\":\"SELECT 1\",\"limit\":0}",
            "{\"sql\":\"SELECT 1\",\"limit\":100000000}"
        }) {
            assertThat(client.post("/api/v1/query", "application/json", body).status())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(client.post("/api/v1/query", "text/plain", "SELECT 1").status())
                .isEqualTo(415);
    }
}
