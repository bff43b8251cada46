package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.Patience;
import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.EventLogException;
import dev.vigil.dashboard.intake.FakePolicies;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class IntakeHttpTest {
    private static final String STRUCTURED = "application/cloudevents+json";
    private static final String BATCH = "application/cloudevents-batch+json";
    private static final String EVENTS = "/api/v1/events";

    private PageHarness harness;
    private ApiClient client;

    @BeforeEach
    void start() {
        harness = new PageHarness(1_800_000_000_000L, 0, null, 1);
        harness.server.start("dashboard");
        client = new ApiClient(harness.url());
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private static String event(String id) {
        return """
            {"specversion":"1.0","id":"%s","source":"/shop","type":"login","subject":"acc-1",
             "time":"2026-11-30T06:55:24.25+01:00","data":{"device":"d1","amount":57.10,"big":12345678901234567890123}}\
            """.formatted(id);
    }

    @Test
    void shouldPublishAStructuredEventWithTheVeryBytesOfItsData() {
        assertThat(client.post(EVENTS, STRUCTURED + "; charset=utf-8", event("e1"))
                        .status())
                .isEqualTo(202);

        EventEnvelope event = harness.log.events().get(0);
        assertThat(event.id()).isEqualTo("e1");
        assertThat(event.subject()).isEqualTo("acc-1");
        assertThat(EventTimes.format(event.timeUs())).isEqualTo("2026-11-30T05:55:24.250Z");
        assertThat(new String(event.data(), StandardCharsets.UTF_8))
                .isEqualTo("{\"device\":\"d1\",\"amount\":57.10,\"big\":12345678901234567890123}");
    }

    @Test
    void shouldPublishABinaryEventWithDecodedHeaders() {
        var answer = client.post(
                EVENTS,
                "application/json",
                "{\"device\":\"d1\"}",
                "ce-specversion",
                "1.0",
                "ce-id",
                "e%2D1 %E2%82%AC",
                "ce-source",
                "/shop",
                "ce-type",
                "login",
                "ce-subject",
                "\"acc \\\"1\\\"\"",
                "ce-time",
                "2026-11-30T06:55:24Z",
                "ce-traceparent",
                "00-abc");
        assertThat(answer.status()).isEqualTo(202);
        EventEnvelope event = harness.log.events().get(0);
        assertThat(event.id()).isEqualTo("e-1 €");
        assertThat(event.subject()).isEqualTo("acc \"1\"");
    }

    @Test
    void shouldPublishABatchInOrder() {
        assertThat(client.post(EVENTS, BATCH, "[" + event("a") + "," + event("b") + "]")
                        .json()
                        .path("accepted")
                        .asInt())
                .isEqualTo(2);
        assertThat(harness.log.events()).extracting(EventEnvelope::id).containsExactly("a", "b");
    }

    @Test
    void shouldTellEveryErrorOfABatchAndPublishNothingOfIt() {
        String bad =
                event("c").replace("\"acc-1\"", "null").replace("\"2026-11-30T06:55:24.25+01:00\"", "\"yesterday\"");
        var answer = client.post(
                EVENTS, BATCH, "[" + event("a") + "," + bad + ",7," + event("d").replace("login", "vigil.tick") + "]");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.header("Content-Type")).isEqualTo("application/problem+json");
        assertThat(answer.json().path("errors"))
                .extracting(e -> e.path("index").asInt() + " " + e.path("field").asText() + " "
                        + e.path("code").asText())
                .containsExactlyInAnyOrder("1 subject missing", "1 time malformed", "2  malformed", "3 type reserved");
        assertThat(harness.log.events()).isEmpty();
    }

    @Test
    void shouldRefuseCardNumbersWithoutRepeatingThem() {
        String withCard = event("a").replace("\"d1\"", "\"paid with 4111-1111 1111 1111 today\"");
        var answer = client.post(EVENTS, STRUCTURED, withCard);

        assertThat(answer.status()).isEqualTo(400);
        JsonNode error = answer.json().at("/errors/0");
        assertThat(error.path("code").asText()).isEqualTo("card_number");
        assertThat(error.path("field").asText()).isEqualTo("/data/device");
        assertThat(error.path("detail").asText()).contains("(4111-11** **** 1111)");
        assertThat(answer.body()).doesNotContain("4111-1111");
    }

    @Test
    void shouldAnswer503WithRetryAfterWhileTheBrokerDoesNotConfirm() {
        harness.log.answerWith(() -> failed(EventLogException.Reason.UNAVAILABLE, 0));
        var answer = client.post(EVENTS, STRUCTURED, event("a"));
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("5");
        assertThat(answer.json().has("stored")).isFalse();
        assertThat(answer.body()).doesNotContain("broker-7");
    }

    private static CompletableFuture<Void> failed(EventLogException.Reason reason, int stored) {
        return CompletableFuture.failedFuture(
                new EventLogException(reason, stored, new IOException("broker-7.internal:9092")));
    }

    @Test
    void shouldSayHowMuchTheBrokerHasOfARequestThatItDidNotTakeWhole() {
        harness.log.answerWith(() -> failed(EventLogException.Reason.UNAVAILABLE, 1));
        var answer = client.post(EVENTS, BATCH, "[" + event("a") + "," + event("b") + "]");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.json().path("stored").asInt()).isEqualTo(1);
        assertThat(answer.json().path("detail").asText())
                .contains("Send all of them again")
                .endsWith("Of this request it has confirmed 1.");
    }

    @Test
    void shouldAnswer429WhereTheBrokerIsSlowAnd413WhereItWillNeverTakeAnEvent() {
        harness.log.answerWith(() -> failed(EventLogException.Reason.BUSY, 0));
        var busy = client.post(EVENTS, STRUCTURED, event("a"));
        assertThat(busy.status()).isEqualTo(429);
        assertThat(busy.header("Retry-After")).isEqualTo("1");

        harness.log.answerWith(() -> failed(EventLogException.Reason.TOO_LARGE, 0));
        var tooLarge = client.post(EVENTS, STRUCTURED, event("a"));
        assertThat(tooLarge.status()).isEqualTo(413);
        assertThat(tooLarge.header("Retry-After")).isEmpty();
        assertThat(tooLarge.json().path("detail").asText()).contains("max.message.bytes, found up to ");
    }

    @Test
    void shouldLetOneRequestAtATimeAskABrokerThatIsAway() throws Exception {
        try (PageHarness roomy = new PageHarness(1_800_000_000_000L, 0, null, 64)) {
            roomy.server.start("dashboard");
            ApiClient many = new ApiClient(roomy.url());
            roomy.log.answerWith(() -> failed(EventLogException.Reason.UNAVAILABLE, 0));
            assertThat(many.post(EVENTS, STRUCTURED, event("a")).status()).isEqualTo(503);

            CompletableFuture<Void> silence = new CompletableFuture<>();
            roomy.log.answerWith(() -> silence);
            var asking = CompletableFuture.supplyAsync(() -> many.post(EVENTS, STRUCTURED, event("b")));
            Patience.await().until(() -> roomy.log.events().size() == 2);
            var told = many.post(EVENTS, STRUCTURED, event("c"));
            assertThat(told.status()).isEqualTo(503);
            assertThat(told.json().path("type").asText()).isEqualTo("urn:vigil:problem:log-unavailable");
            assertThat(roomy.log.events()).as("the broker was not asked again").hasSize(2);

            silence.complete(null);
            assertThat(asking.get().status()).isEqualTo(202);
            assertThat(many.post(EVENTS, STRUCTURED, event("d")).status()).isEqualTo(202);
        }
    }

    @Test
    void shouldAnswer429WhileTooMuchIsInFlightAndTakeMoreAfterwards() throws Exception {
        CompletableFuture<Void> confirmation = new CompletableFuture<>();
        harness.log.answerWith(() -> confirmation);
        CompletableFuture<ApiClient.Answer> first =
                CompletableFuture.supplyAsync(() -> client.post(EVENTS, STRUCTURED, event("a")));
        Patience.await().until(() -> harness.log.events().size() == 1);

        var refused = client.post(EVENTS, STRUCTURED, event("b"));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("1");

        confirmation.complete(null);
        assertThat(first.get().status()).isEqualTo(202);
        assertThat(client.post(EVENTS, STRUCTURED, event("b")).status()).isEqualTo(202);
    }

    @Test
    void shouldRefuseBodiesOverTheLimit() {
        String large = event("a").replace("d1", "x".repeat(1 << 20));
        var tooLarge = client.post(EVENTS, STRUCTURED, large);
        assertThat(tooLarge.status()).isEqualTo(413);
        int length = large.getBytes(StandardCharsets.UTF_8).length;
        assertThat(tooLarge.json().path("detail").asText())
                .isEqualTo("Expected a body of at most 1048576 bytes, found " + length + "; split it.");

        String chunk = "x".repeat(65_536);
        StringBuilder chunked =
                new StringBuilder("POST " + EVENTS + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Type: " + STRUCTURED + "\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < 20; i++) {
            chunked.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        String answer = RawHttp.exchange(harness.server.port(), chunked + "0\r\n\r\n");
        assertThat(RawHttp.status(answer)).isEqualTo(413);
        assertThat(answer).contains("application/problem+json").contains("at most 1048576 bytes, found more");
    }

    /** The rest of the body never comes: an answer that waited for it would be none. */
    @Test
    void shouldRefuseABodyThatIsAnnouncedAsTooLargeBeforeItHasCome() {
        for (String expect : new String[] {"", "Expect: 100-continue\r\n"}) {
            String answer = RawHttp.exchange(
                    harness.server.port(),
                    "POST " + EVENTS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: " + STRUCTURED + "\r\n" + expect
                            + "Content-Length: 2000000\r\n\r\n" + (expect.isEmpty() ? "{" : ""));
            assertThat(RawHttp.status(answer)).as(expect).isEqualTo(413);
            assertThat(answer).contains("at most 1048576 bytes, found 2000000");
        }
    }

    @Test
    void shouldRefuseOtherContentTypes() {
        for (String type : new String[] {"text/plain", "application/json", "application/x-www-form-urlencoded"}) {
            assertThat(client.post(EVENTS, type, event("a")).status()).as(type).isEqualTo(415);
        }
    }

    @Test
    void shouldTakeNothingBeforeTheActivePolicyIsKnown() {
        ActivePolicy policy = new ActivePolicy(FakePolicies.none());
        try (PageHarness early = new PageHarness(1_800_000_000_000L, 0, null, FakePolicies.config("{}"), policy)) {
            early.server.start("dashboard");
            ApiClient earlyClient = new ApiClient(early.url());
            policy.activated("login: device amount big");
            var reading = earlyClient.post(EVENTS, STRUCTURED, event("a"));
            assertThat(reading.status()).isEqualTo(503);
            assertThat(reading.json().path("type").asText()).isEqualTo("urn:vigil:problem:starting");
            assertThat(reading.header("Retry-After")).isEqualTo("2");

            policy.readToEnd();
            var refused = earlyClient.post(EVENTS, STRUCTURED, event("a"));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().path("errors"))
                    .extracting(e -> e.path("field").asText())
                    .containsExactly("/data/amount", "/data/big");
            assertThat(early.log.events()).isEmpty();
        }
    }

    @Test
    void shouldSayHowToActivateAPolicyWhereNoneIs() {
        try (PageHarness bare = new PageHarness(
                1_800_000_000_000L, 0, null, FakePolicies.config("{}"), FakePolicies.active(FakePolicies.none()))) {
            bare.server.start("dashboard");
            var answer = new ApiClient(bare.url()).post(EVENTS, STRUCTURED, event("a"));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.json().path("type").asText()).isEqualTo("urn:vigil:problem:no-policy");
            assertThat(answer.json().path("detail").asText()).contains("'vigil policy apply FILE'");
            assertThat(answer.header("Retry-After")).isEqualTo("10");
        }
    }

    @Test
    void shouldNameFieldsThatThePolicyDoesNotKnow() {
        try (PageHarness warning = new PageHarness(
                1_800_000_000_000L,
                0,
                null,
                FakePolicies.config("{}"),
                FakePolicies.active(policiesWith("login: device")))) {
            warning.server.start("dashboard");
            var answer = new ApiClient(warning.url()).post(EVENTS, BATCH, "[" + event("a") + "]");
            assertThat(answer.status()).isEqualTo(202);
            assertThat(answer.json().path("warnings"))
                    .extracting(w -> w.path("index").asInt() + w.path("field").asText())
                    .containsExactly("0/data/amount", "0/data/big");
        }
    }

    private static FakePolicies policiesWith(String text) {
        FakePolicies policies = FakePolicies.none();
        policies.activated(text);
        return policies;
    }

    @Test
    void shouldCountWhatItTookAndRefused() {
        client.post(EVENTS, BATCH, "[" + event("a") + "," + event("b") + "]");
        client.post(EVENTS, BATCH, "[{},{}]");
        harness.log.answerWith(() -> failed(EventLogException.Reason.UNAVAILABLE, 0));
        client.post(EVENTS, BATCH, "[" + event("a") + "]");

        assertThat(harness.server.acceptedEvents()).isEqualTo(2);
        assertThat(harness.server.refusedEvents()).isEqualTo(2);
        assertThat(harness.meters.scrape())
                .contains(
                        "vigil_intake_events_total{outcome=\"accepted\"} 2.0",
                        "vigil_intake_events_total{outcome=\"refused\"} 2.0",
                        "vigil_intake_events_total{outcome=\"unconfirmed\"} 1.0",
                        "vigil_intake_problems_total{code=\"missing\"} 14.0",
                        "vigil_intake_turned_away_total{reason=\"log-unavailable\"} 1.0",
                        "vigil_intake_acknowledgement_seconds_count 1",
                        "vigil_intake_in_flight 0.0",
                        "vigil_intake_in_flight_bytes 0.0");
    }

    // Field case F14.
    @Test
    void shouldKeepTheNumberOfSeriesFlatWhateverIsSent() {
        client.post(EVENTS, BATCH, "[" + event("a") + ",{}]");
        long before = harness.meters.scrape().lines().count();
        for (int i = 0; i < 50; i++) {
            client.post(EVENTS, STRUCTURED, "{\"attribute" + i + "\":" + i + "}");
        }
        assertThat(harness.meters.scrape().lines().count()).isEqualTo(before);
    }
}
