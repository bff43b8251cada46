package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.EndpointView;
import dev.vigil.event.endpoint.Endpoints;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every answer is held against the OpenAPI document. */
final class EndpointHttpTest {
    private static final String PATH = "/api/v1/endpoints";
    private static final String JSON = "application/json";

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
    void shouldMakeChangeAndTakeAwayEndpoints() {
        ApiClient.Answer made = client.post(PATH, JSON, "{\"name\":\"dead\"}", "Idempotency-Key", "k-1");
        assertThat(made.status()).isEqualTo(201);
        assertThat(made.json().path("secret").asText()).isEqualTo(FakeEndpoints.SECRET);
        assertThat(made.header("Cache-Control")).isEqualTo("no-store");
        assertThat(harness.endpoints.asked).containsExactly("create {\"name\":\"dead\"} k-1");

        ApiClient.Answer rotated = client.post(PATH + "/dead/rotate-secret", JSON, "{\"overlap\":\"2h\"}");
        assertThat(rotated.status()).isEqualTo(200);
        assertThat(rotated.header("Cache-Control")).isEqualTo("no-store");
        assertThat(harness.endpoints.asked).last().isEqualTo("rotate dead PT2H null");
        assertThat(client.post(PATH + "/dead/rotate-secret", JSON, "").status()).isEqualTo(200);
        assertThat(client.post(PATH + "/dead/pause", JSON, "{}")
                        .json()
                        .path("state")
                        .asText())
                .isEqualTo("paused");
        assertThat(client.post(PATH + "/dead/resume", JSON, "{}")
                        .json()
                        .path("state")
                        .asText())
                .isEqualTo("active");
        assertThat(client.post(PATH + "/dead/test", JSON, "{}")
                        .json()
                        .path("problem")
                        .asText())
                .isEqualTo("no answer within the time-out");
        assertThat(client.patch(PATH + "/dead", JSON, "{\"min_score\":3,\"rules\":null}")
                        .status())
                .isEqualTo(200);
        assertThat(harness.endpoints.asked).last().isEqualTo("change dead {\"min_score\":3,\"rules\":null}");
        ApiClient.Answer all = client.get(PATH);
        assertThat(all.json().path("endpoints")).hasSize(1);
        assertThat(all.body()).doesNotContain(FakeEndpoints.SECRET);
        ApiClient.Answer one = client.get(PATH + "/dead");
        assertThat(one.json()).isEqualTo(all.json().path("endpoints").get(0));
        assertThat(one.body()).doesNotContain(FakeEndpoints.SECRET);
        assertThat(client.delete(PATH + "/dead").status()).isEqualTo(204);
        assertThat(client.get(PATH + "/dead").status()).isEqualTo(404);
        assertThat(client.get(PATH).json().path("endpoints")).isEmpty();
    }

    @Test
    void shouldTellWhyNothingWasDone() {
        Map<Kind, Integer> statuses =
                Map.of(Kind.INVALID, 400, Kind.UNKNOWN, 404, Kind.CONFLICT, 409, Kind.BUSY, 429, Kind.UNAVAILABLE, 503);
        statuses.forEach((kind, status) -> {
            String name = "refused-" + kind.name().toLowerCase(Locale.ROOT);
            ApiClient.Answer answer = client.post(PATH + "/" + name + "/pause", JSON, "{}");
            assertThat(answer.status()).as(name).isEqualTo(status);
            assertThat(answer.json().path("detail").asText()).isEqualTo("why " + name + " is refused");
        });
        assertThat(client.delete(PATH + "/nobody").status()).isEqualTo(404);
        assertThat(client.post(PATH + "/nobody/pause", JSON, "{}").status()).isEqualTo(404);
    }

    @Test
    void shouldRefuseWhatIsNoObjectInJson() {
        for (String body : List.of("", "[]", "null", "{", "\"x\"")) {
            int expected = body.isEmpty() ? 201 : 400;
            assertThat(client.post(PATH, JSON, body).status()).as(body).isEqualTo(expected);
        }
        assertThat(client.post(PATH, "text/plain", "{\"name\":\"x\"}").status()).isEqualTo(415);
        assertThat(client.post(PATH, "application/x-www-form-urlencoded", "name=x")
                        .status())
                .isEqualTo(415);
        client.post(PATH, JSON, "{\"name\":\"desk\"}");
        for (String body : List.of("{\"overlap\":\"soon\"}", "{\"overlap\":3}", "{\"overlapp\":\"1h\"}")) {
            assertThat(client.post(PATH + "/desk/rotate-secret", JSON, body).status())
                    .as(body)
                    .isEqualTo(400);
        }
        assertThat(client.post(PATH, JSON, "{\"name\":\"desk\"}", "Idempotency-Key", "k".repeat(257))
                        .status())
                .isEqualTo(400);
    }

    @Test
    void shouldTellWhatWasGivenUpAndRedeliverIt() {
        client.post(PATH, JSON, "{\"name\":\"dead\"}");
        String failed = "/api/v1/failed-deliveries";
        ApiClient.Answer all = client.get(failed);
        assertThat(all.status()).isEqualTo(200);
        assertThat(all.json().path("total").asInt()).isEqualTo(17);
        assertThat(all.json().path("deliveries")).hasSize(2);
        assertThat(harness.endpoints.asked).last().isEqualTo("failed null 0 " + Long.MAX_VALUE + " 50");
        client.get(failed + "?endpoint=dead&from=1970-01-01T00:00:05Z&to=1970-01-01T00:00:09.5Z&limit=3");
        assertThat(harness.endpoints.asked).last().isEqualTo("failed dead 5000 9500 3");
        assertThat(client.get(failed + "?from=yesterday").status()).isEqualTo(400);
        assertThat(client.get(failed + "?limit=10001").status()).isEqualTo(400);

        String again = PATH + "/dead/redeliver";
        ApiClient.Answer done = client.post(again, JSON, "{\"from\":\"1970-01-01T00:00:05Z\"}");
        assertThat(done.status()).isEqualTo(200);
        assertThat(done.json().path("queued").asInt()).isEqualTo(3);
        assertThat(harness.endpoints.asked).last().isEqualTo("redeliver dead 5000 " + Long.MAX_VALUE + " false");
        client.post(
                again, JSON, "{\"from\":\"1970-01-01T00:00:05Z\",\"to\":\"1970-01-01T00:00:06Z\",\"dry_run\":true}");
        assertThat(harness.endpoints.asked).last().isEqualTo("redeliver dead 5000 6000 true");
        for (String body : List.of(
                "{}",
                "{\"from\":5}",
                "{\"from\":\"then\"}",
                "{\"from\":\"1970-01-01T00:00:05Z\",\"until\":\"1970-01-01T00:00:06Z\"}",
                "{\"from\":\"1970-01-01T00:00:05Z\",\"dry_run\":\"yes\"}")) {
            assertThat(client.post(again, JSON, body).status()).as(body).isEqualTo(400);
        }
        assertThat(client.post(again, "text/plain", "{}").status()).isEqualTo(415);
        assertThat(client.post(PATH + "/nobody/redeliver", JSON, "{\"from\":\"1970-01-01T00:00:05Z\"}")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void shouldAskTheAlertingOfAnotherProcess() {
        FakeEndpoints there = new FakeEndpoints();
        try (ServiceEndpoint alone = serve(() -> there);
                ServiceEndpoint standby = serve(() -> {
                    throw new EndpointRefusedException(Kind.UNAVAILABLE, "not in charge");
                })) {
            Endpoints remote = new RemoteEndpoints(
                    List.of(URI.create("http://127.0.0.1:1"), URI.create(standby.url()), URI.create(alone.url())));
            assertThat(remote.create(Json.mapper().createObjectNode().put("name", "dead"), "k")
                            .secret())
                    .isEqualTo(FakeEndpoints.SECRET);
            assertThat(remote.rotateSecret("dead", Duration.ofMinutes(90), "r").endpoint())
                    .isEqualTo(there.list().get(0));
            assertThat(there.asked).last().isEqualTo("rotate dead PT1H30M r");
            assertThat(remote.pause("dead").paused()).isTrue();
            assertThat(remote.resume("dead").paused()).isFalse();
            assertThat(remote.test("dead").durationMs()).isEqualTo(15_000);
            assertThat(remote.change("dead", Json.mapper().createObjectNode()))
                    .isEqualTo(there.list().get(0));
            assertThat(remote.list()).extracting(EndpointView::name).containsExactly("dead");
            assertThat(remote.show("dead")).isEqualTo(there.list().get(0));
            assertThat(remote.failed("dead", 5_000, 9_500, 3)).isEqualTo(there.failed("dead", 5_000, 9_500, 3));
            assertThat(there.asked.get(there.asked.size() - 2)).isEqualTo("failed dead 5000 9500 3");
            assertThat(remote.redeliver("dead", 5_000, Long.MAX_VALUE, true))
                    .isEqualTo(there.redeliver("dead", 5_000, Long.MAX_VALUE, true));
            assertThat(there.asked.get(there.asked.size() - 2))
                    .isEqualTo("redeliver dead 5000 " + Long.MAX_VALUE + " true");
            remote.delete("dead");
            assertThat(there.list()).isEmpty();
            for (Kind kind : Kind.values()) {
                String name = "refused-" + kind.name().toLowerCase(Locale.ROOT);
                assertThatThrownBy(() -> remote.test(name))
                        .isInstanceOfSatisfying(
                                EndpointRefusedException.class,
                                refusal -> assertThat(refusal.kind()).isEqualTo(kind))
                        .hasMessage("why " + name + " is refused");
            }
            assertThatThrownBy(() -> remote.test("../../health")).isInstanceOf(EndpointRefusedException.class);
        }
        assertThatThrownBy(() -> new RemoteEndpoints(List.of()).list())
                .hasMessageContaining("no alerting is known here");
    }

    private static ServiceEndpoint serve(Supplier<Endpoints> endpoints) {
        return ServiceEndpoint.start(
                HttpConfig.local(0),
                "endpoint",
                new StatusBoard(),
                null,
                null,
                endpoints,
                () -> 0,
                new SimpleMeterRegistry());
    }

    @Test
    void shouldServeNoEndpointsWhereNoAlertingRuns() {
        try (ServiceEndpoint engine = ServiceEndpoint.start(
                HttpConfig.local(0), "endpoint", new StatusBoard(), () -> 0, new SimpleMeterRegistry())) {
            ApiClient other = new ApiClient(engine.url());
            HttpRequest.Builder request = other.request(PATH).GET();
            assertThat(other.send(request).status()).isEqualTo(404);
        }
    }
}
