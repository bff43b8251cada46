package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.explain.Explanations;
import dev.vigil.dashboard.explain.FirstAnswer;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Explanation;
import dev.vigil.event.Json;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ExplainHttpTest {
    private static final String PATH = "/api/v1/events/explain";

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
    void shouldExplainEventsWhateverTheirIds() {
        JsonNode plain = client.get(PATH + "?account=A-1&id=t-17").json();
        assertThat(plain.at("/features/0/window/events/1/event_id").asText()).isEqualTo("t-17");
        assertThat(plain.at("/features/0/doubts/0").asText()).isEqualTo("forgotten");
        assertThat(plain.at("/features/2").has("value")).isFalse();
        assertThat(plain.at("/later/decision").asText()).isEqualTo("decline");
        JsonNode odd = client.get(PATH + "?account=A%2F1%3F&id=a%2Fb%20%26%C3%A9%2B&source=%2Fcdc%2Fbank%2Fpublic.tx")
                .json();
        assertThat(odd.path("account").asText()).isEqualTo("A/1?");
        assertThat(odd.path("event_id").asText()).isEqualTo("a/b &é+");
        assertThat(odd.path("source").asText()).isEqualTo("/cdc/bank/public.tx");
    }

    @Test
    void shouldTellWhyItIsNotKnownSinceWhenFeaturesWereComplete() {
        JsonNode unknown = client.get(PATH + "?account=earlier&id=t-17").json();
        assertThat(unknown.path("completeness_unknown").asText()).isEqualTo("an earlier Vigil did not keep it");
        assertThat(unknown.at("/features/0").has("complete_since_us")).isFalse();
        JsonNode known = client.get(PATH + "?account=A-1&id=t-17").json();
        assertThat(known.has("completeness_unknown")).isFalse();
        assertThat(known.at("/features/0").has("complete_since_us")).isTrue();
    }

    @Test
    void shouldTellWhyThereIsNoExplanation() {
        Map<String, Integer> statuses = Map.of(
                "unknown",
                404,
                "ambiguous",
                409,
                "policy_gone",
                410,
                "busy",
                429,
                "elsewhere",
                503,
                "unavailable",
                503);
        statuses.forEach((id, status) -> {
            ApiClient.Answer answer = client.get(PATH + "?account=refused&id=" + id);
            assertThat(answer.status()).as(id).isEqualTo(status);
            assertThat(answer.json().path("detail").asText()).isEqualTo("why event " + id + " is not explained");
        });
        for (String query : List.of("", "?account=a", "?id=b", "?account=&id=b", "?account=a&id=" + "b".repeat(257))) {
            assertThat(client.get(PATH + query).status()).as(query).isEqualTo(400);
        }
    }

    @Test
    void shouldAskTheEngineOfAnotherProcess() {
        try (ServiceEndpoint endpoint = ServiceEndpoint.start(
                HttpConfig.local(0),
                "endpoint",
                new StatusBoard(),
                FakeExplanations::explain,
                null,
                () -> 0,
                new SimpleMeterRegistry())) {
            Explanations remote = new RemoteExplanations(URI.create(endpoint.url()));
            Explanation told = remote.explain("A/1", "a/b &é+", "/s?x=1#y");
            assertThat(Json.encode(told))
                    .isEqualTo(Json.encode(FakeExplanations.explain("A/1", "a/b &é+", "/s?x=1#y")));
            for (Kind kind : Kind.values()) {
                assertThatThrownBy(() -> remote.explain("refused", kind.name(), null))
                        .isInstanceOfSatisfying(
                                CannotExplainException.class,
                                e -> assertThat(e.kind()).isEqualTo(kind))
                        .hasMessage("why event " + kind.name() + " is not explained");
            }
        }
    }

    @Test
    void shouldAskEachEngineForTheOneThatHasTheAccount() {
        Explanations elsewhere = (account, id, source) -> FakeExplanations.explain("refused", "elsewhere", null);
        Explanations unknown = (account, id, source) -> FakeExplanations.explain("refused", "unknown", null);
        Explanations dead = new RemoteExplanations(URI.create("http://127.0.0.1:1"));
        assertThat(new FirstAnswer(List.of(elsewhere, dead, FakeExplanations::explain))
                        .explain("A-1", "t", null)
                        .account())
                .isEqualTo("A-1");
        refuses(Kind.UNKNOWN, "why event unknown", elsewhere, unknown, FakeExplanations::explain);
        refuses(Kind.ELSEWHERE, "why event elsewhere", elsewhere, elsewhere);
        refuses(Kind.UNAVAILABLE, "no scoring engine listens at http://127.0.0.1:1", elsewhere, dead, elsewhere);
        refuses(Kind.UNAVAILABLE, "no scoring engine is known here");
    }

    private static void refuses(Kind kind, String message, Explanations... engines) {
        assertThatThrownBy(() -> new FirstAnswer(List.of(engines)).explain("A-1", "t", null))
                .isInstanceOfSatisfying(
                        CannotExplainException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(message);
    }

    @Test
    void shouldNotExplainWhereNoEngineRuns() {
        try (ServiceEndpoint endpoint = ServiceEndpoint.start(
                HttpConfig.local(0), "endpoint", new StatusBoard(), () -> 0, new SimpleMeterRegistry())) {
            assertThatThrownBy(() -> new RemoteExplanations(URI.create(endpoint.url())).explain("A-1", "t", null))
                    .hasMessageContaining("answers 404");
        }
    }

    @Test
    void shouldTellSinceWhenTheFeaturesOfTheActivePolicyAreComplete() {
        JsonNode policy = client.get("/api/v1/policy").json();
        assertThat(policy.path("policy").asText()).isEqualTo("card-fraud");
        assertThat(policy.at("/complete_since_us/tx_count_1h").asLong()).isEqualTo(1_000_000);
        assertThat(policy.at("/complete_since_us/tx_avg_30d").asLong())
                .isGreaterThan(policy.path("watermark_us").asLong());
        try (PageHarness empty = new PageHarness(1_800_000_000_000L, 0, null, 8)) {
            empty.server.start("dashboard");
            assertThat(new ApiClient(empty.url()).get("/api/v1/policy").status())
                    .isEqualTo(404);
        }
    }
}
