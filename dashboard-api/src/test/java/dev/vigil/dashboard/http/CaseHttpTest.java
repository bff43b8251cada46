package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.cases.FirstCases;
import dev.vigil.dashboard.cases.InMemoryCases;
import dev.vigil.dashboard.cases.SampleCases;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.cases.CaseAction;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.cases.CasesUnavailableException;
import dev.vigil.event.cases.Disposition;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class CaseHttpTest {
    private static final String CASES = "/api/v1/cases";
    private static final String JSON = "application/json";

    private PageHarness harness;
    private ApiClient client;

    @BeforeEach
    void start() {
        harness = PageHarness.started();
        harness.cases.put(SampleCases.of("c1", "A-1"));
        client = new ApiClient(harness.url());
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private ApiClient.Answer act(String body, String... headers) {
        return client.post(CASES + "/c1/actions", JSON, body, headers);
    }

    private CaseAction last() {
        List<CaseAction> appended = harness.cases.appended();
        return appended.get(appended.size() - 1);
    }

    private static String detail(ApiClient.Answer answer) {
        return answer.json().path("detail").asText();
    }

    @Test
    void shouldListCasesByStateAssigneeAccountAndRulePageByPage() {
        for (int i = 2; i <= 5; i++) {
            harness.cases.put(SampleCases.of("c" + i, "A-" + i));
            harness.cases.alert("c" + i);
        }
        client.post(CASES + "/c2/actions", JSON, "{\"action\":\"close\",\"by\":\"jo\",\"disposition\":\"fraud\"}");
        client.post(CASES + "/c3/actions", JSON, "{\"action\":\"assign\",\"by\":\"jo\",\"assignee\":\"ann\"}");

        assertThat(ids("")).containsExactly("c2", "c3", "c4", "c5", "c1");
        assertThat(ids("?state=open")).containsExactly("c3", "c4", "c5", "c1");
        assertThat(ids("?state=closed")).containsExactly("c2");
        assertThat(ids("?assignee=ann")).containsExactly("c3");
        assertThat(ids("?account=A-4")).containsExactly("c4");
        assertThat(ids("?rule=velocity")).hasSize(5);
        assertThat(ids("?rule=travel")).isEmpty();
        JsonNode first = client.get(CASES + "?limit=2").json();
        assertThat(first.path("next").asText()).isEqualTo("c3");
        assertThat(ids("?limit=2&after=c3")).containsExactly("c4", "c5");
        assertThat(client.get(CASES + "?limit=2&after=c5").json().has("next")).isFalse();
        for (String query :
                List.of("?state=opn", "?limit=0", "?limit=201", "?after=a%20b", "?rule=" + "r".repeat(257))) {
            assertThat(client.get(CASES + query).status()).as(query).isEqualTo(400);
        }
        assertThat(detail(client.get(CASES + "?state=opn"))).isEqualTo("state: no such state, did you mean open?");
    }

    private List<String> ids(String query) {
        return client.get(CASES + query).json().path("cases").findValuesAsText("case_id");
    }

    @Test
    void shouldShowACaseWithItsAlertsAndHistory() {
        JsonNode shown = client.get(CASES + "/c1").json();
        assertThat(shown.path("account").asText()).isEqualTo("A-1");
        assertThat(shown.at("/alerts/1/suppressed_by").asText()).isEqualTo("cooldown");
        assertThat(shown.at("/history/0/done").asText()).isEqualTo("opened");
        for (String id : List.of("c9", "a%20b", "%3Cb%3E", "x".repeat(201))) {
            assertThat(client.get(CASES + "/" + id).status()).as(id).isEqualTo(404);
        }
        assertThat(client.get(CASES + "/c9").json().path("type").asText()).isEqualTo("urn:vigil:problem:no-such-case");
        assertThat(client.post(CASES + "/c9/actions", JSON, "{\"action\":\"acknowledge\",\"by\":\"jo\"}")
                        .status())
                .isEqualTo(404);
        assertThat(harness.cases.appended()).isEmpty();
    }

    @Test
    void shouldDoEachActionAndAnswerWithTheCaseAfterIt() {
        JsonNode now = act("{\"action\":\"acknowledge\",\"by\":\" Jo Müller \",\"if_revision\":2}")
                .json();
        assertThat(now.path("state").asText()).isEqualTo("acknowledged");
        assertThat(last().by()).isEqualTo("Jo Müller");
        assertThat(last().account()).isEqualTo("A-1");
        assertThat(last().atMs()).isEqualTo(1_800_000_000_000L);

        assertThat(act("{\"action\":\"assign\",\"by\":\"jo\",\"assignee\":\"ann\"}")
                        .json()
                        .path("assignee")
                        .asText())
                .isEqualTo("ann");
        assertThat(act("{\"action\":\"assign\",\"by\":\"jo\",\"assignee\":null}")
                        .json()
                        .has("assignee"))
                .isFalse();
        now = act("{\"action\":\"note\",\"by\":\"jo\",\"note\":\"first\\r\\nsecond 👩‍💻\"}")
                .json();
        assertThat(now.path("history").get(4).path("text").asText()).isEqualTo("first\nsecond 👩‍💻");
        now = act("{\"action\":\"snooze\",\"by\":\"jo\",\"until\":\"2027-01-15T12:00:00+01:00\",\"note\":\"travels\"}")
                .json();
        assertThat(now.at("/snooze/until_us").asLong()).isEqualTo(EventTimes.parse("2027-01-15T11:00:00Z"));
        assertThat(now.at("/snooze/reason").asText()).isEqualTo("travels");
        assertThat(act("{\"action\":\"unsnooze\",\"by\":\"jo\"}").json().has("snooze"))
                .isFalse();
        now = act("{\"action\":\"close\",\"by\":\"jo\",\"disposition\":\"legitimate\"}")
                .json();
        assertThat(now.path("disposition").asText()).isEqualTo("legitimate");
        assertThat(last().disposition()).isEqualTo(Disposition.LEGITIMATE);
        assertThat(act("{\"action\":\"reopen\",\"by\":\"jo\"}")
                        .json()
                        .path("state")
                        .asText())
                .isEqualTo("acknowledged");
    }

    @Test
    void shouldSnoozeForAWhileFromNowOrFromALaterLastAlert() {
        long nowUs = 1_800_000_000_000_000L;
        act("{\"action\":\"snooze\",\"by\":\"jo\",\"for\":\"2h\"}");
        assertThat(last().untilUs())
                .as("the last alert is a minute ahead")
                .isEqualTo(nowUs + 60_000_000L + 7_200_000_000L);
        for (int i = 0; i < 180; i++) {
            harness.tick(0);
        }
        act("{\"action\":\"snooze\",\"by\":\"jo\",\"for\":\"2h\"}");
        assertThat(last().untilUs()).isEqualTo(nowUs + 180_000_000L + 7_200_000_000L);
        assertThat(detail(act("{\"action\":\"snooze\",\"by\":\"jo\",\"until\":\"2027-01-15T08:01:00Z\"}")))
                .isEqualTo("until: expected a time after the case's last alert at 2027-01-15T08:01:00Z, found"
                        + " 2027-01-15T08:01:00Z");
        assertThat(detail(act("{\"action\":\"snooze\",\"by\":\"jo\",\"until\":\"2028-01-15T08:01:00Z\"}")))
                .isEqualTo("until: expected at most 30 days ahead, found 2028-01-15T08:01:00Z");
    }

    @Test
    void shouldCountARepeatedActionOnce() {
        String body = "{\"action\":\"note\",\"by\":\"jo\",\"note\":\"called the customer\",\"if_revision\":2}";
        JsonNode first = act(body, "Idempotency-Key", "k-1").json();
        JsonNode again = act(body, "Idempotency-Key", "k-1").json();
        assertThat(again).isEqualTo(first);
        assertThat(first.at("/history/1/action_id").asText()).isEqualTo("k-1");
        assertThat(harness.cases.appended()).hasSize(1);

        ApiClient.Answer other = act("{\"action\":\"acknowledge\",\"by\":\"jo\"}", "Idempotency-Key", "k-1");
        assertThat(other.status()).isEqualTo(409);
        assertThat(detail(other)).isEqualTo("the action id k-1 is that of another action: note by jo");
        assertThat(act(body, "Idempotency-Key", "a b").status()).isEqualTo(400);
        assertThat(act(body, "Idempotency-Key", "k".repeat(101)).status()).isEqualTo(400);
    }

    @Test
    void shouldTellThatTheCaseHasMovedOnWithoutSendingAnything() {
        harness.cases.alert("c1");
        ApiClient.Answer answer =
                act("{\"action\":\"close\",\"by\":\"jo\",\"disposition\":\"fraud\",\"if_revision\":2}");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(detail(answer))
                .isEqualTo(
                        "the case has moved on: expected revision 2, found 3; the last in its history is opened by vigil");
        assertThat(harness.cases.appended()).isEmpty();
    }

    @Test
    void shouldTellThatAnActionWasVoidOnceItIsTaken() throws Exception {
        harness.cases.hold(true);
        Thread mover = new Thread(
                () -> {
                    while (harness.cases.appended().isEmpty()) {
                        Thread.onSpinWait();
                    }
                    harness.cases.alert("c1");
                },
                "mover");
        mover.start();
        ApiClient.Answer answer =
                act("{\"action\":\"acknowledge\",\"by\":\"jo\",\"if_revision\":2}", "Idempotency-Key", "k");
        mover.join();
        assertThat(answer.status()).isEqualTo(409);

        harness.cases.hold(false);
        answer = act("{\"action\":\"acknowledge\",\"by\":\"jo\",\"if_revision\":2}", "Idempotency-Key", "k");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(detail(answer)).isEqualTo("expected revision 2, found 3");
        assertThat(harness.cases.appended()).hasSize(1);
    }

    @Test
    void shouldSayThatAnActionIsStoredAndNotTakenYet() {
        harness.cases.hold(true);
        ApiClient.Answer answer = act("{\"action\":\"acknowledge\",\"by\":\"jo\"}", "Idempotency-Key", "k-2");
        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.json().path("action_id").asText()).isEqualTo("k-2");
        assertThat(act("{\"action\":\"acknowledge\",\"by\":\"jo\"}")
                        .json()
                        .path("action_id")
                        .asText())
                .hasSize(36);
        harness.cases.hold(false);
        assertThat(client.get(CASES + "/c1").json().path("state").asText()).isEqualTo("acknowledged");
    }

    @Test
    void shouldSayWhoDoesNotAnswer() {
        harness.cases.brokerAway(true);
        ApiClient.Answer answer = act("{\"action\":\"acknowledge\",\"by\":\"jo\"}", "Idempotency-Key", "k-3");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("5");
        assertThat(detail(answer)).contains("Idempotency-Key: k-3").doesNotContain("9092");
        harness.cases.away(true);
        for (ApiClient.Answer away : List.of(
                act("{\"action\":\"acknowledge\",\"by\":\"jo\"}"), client.get(CASES), client.get(CASES + "/c1"))) {
            assertThat(away.status()).isEqualTo(503);
            assertThat(away.header("Retry-After")).isEqualTo("2");
            assertThat(detail(away)).isEqualTo("no alerting listens at http://alerting:8081");
        }
        assertThat(harness.cases.appended()).isEmpty();
    }

    @Test
    void shouldAskTheAlertingOfAnotherProcess() {
        InMemoryCases theirs = new InMemoryCases();
        theirs.put(SampleCases.saying(SampleCases.of("c7", "x"), "Å/1 &?=+"));
        theirs.put(SampleCases.of("c8", "A-8"));
        try (ServiceEndpoint endpoint = ServiceEndpoint.start(
                HttpConfig.local(0), "endpoint", new StatusBoard(), null, theirs, () -> 0, new SimpleMeterRegistry())) {
            Cases remote = new RemoteCases(URI.create(endpoint.url()));
            assertThat(remote.find("c7")).isEqualTo(theirs.find("c7"));
            assertThat(remote.find("c9")).isEmpty();
            assertThat(remote.find("a/b c")).isEmpty();
            for (CaseFilter filter : List.of(
                    new CaseFilter(null, null, null, null, null, 1),
                    new CaseFilter(true, "Å/1 &?=+", "Å/1 &?=+", "Å/1 &?=+", null, 20),
                    new CaseFilter(false, null, null, null, null, 20),
                    new CaseFilter(true, null, null, null, "c7", 20))) {
                assertThat(Json.encode(remote.list(filter))).isEqualTo(Json.encode(theirs.list(filter)));
            }
            ApiClient endpointClient = new ApiClient(endpoint.url());
            assertThat(endpointClient
                            .send(endpointClient
                                    .request(CASES + "/c8/actions")
                                    .header("Content-Type", JSON)
                                    .POST(java.net.http.HttpRequest.BodyPublishers.ofString("{}")))
                            .status())
                    .as("actions go to the dashboard alone")
                    .isEqualTo(404);
            theirs.away(true);
            unavailable(remote, "alerting at " + endpoint.url() + " answers 503");
        }
        unavailable(new RemoteCases(URI.create("http://127.0.0.1:1")), "no alerting listens at http://127.0.0.1:1");
    }

    @Test
    void shouldBelieveTheFirstAlertingThatAnswers() {
        Cases dead = new RemoteCases(URI.create("http://127.0.0.1:1"));
        assertThat(new FirstCases(List.of(dead, harness.cases)).find("c1")).isPresent();
        unavailable(new FirstCases(List.of(dead, dead)), "no alerting listens at http://127.0.0.1:1");
        unavailable(new FirstCases(List.of()), "no alerting is known here; name it in dashboard.services");
        try (ServiceEndpoint without = ServiceEndpoint.start(
                HttpConfig.local(0), "endpoint", new StatusBoard(), () -> 0, new SimpleMeterRegistry())) {
            unavailable(new RemoteCases(URI.create(without.url())), "answers 404");
        }
    }

    private static void unavailable(Cases cases, String message) {
        assertThatThrownBy(() -> cases.find("c1"))
                .isInstanceOf(CasesUnavailableException.class)
                .hasMessageContaining(message);
        assertThatThrownBy(() -> cases.list(new CaseFilter(null, null, null, null, null, 1)))
                .isInstanceOf(CasesUnavailableException.class)
                .hasMessageContaining(message);
    }
}
