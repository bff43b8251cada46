package dev.vigil.dashboard.http;

import static dev.vigil.dashboard.deadletter.Letters.bytes;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.Letters;
import dev.vigil.event.DeadLetter.Reason;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every answer is held against the OpenAPI document. */
final class DeadLetterHttpTest {
    private static final String PATH = "/api/v1/dead-letters";
    private static final long START_MS = 1_700_000_000_000L;

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

    private LetterPosition add(long atMs, Reason reason, String value) {
        return harness.letters.add(
                0,
                atMs,
                bytes("acc-1"),
                bytes(value),
                Letters.ofEngine(reason, "expected one thing, found another", 0, atMs - START_MS));
    }

    @Test
    void shouldListNewestFirstByPagesAndFilters() {
        for (int i = 0; i < 5; i++) {
            add(START_MS + i * 1_000, i % 2 == 0 ? Reason.BAD_AMOUNT : Reason.NO_POLICY, "{}");
        }
        List<String> told = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = client.get(PATH + "?limit=2" + cursor).json();
            page.path("letters")
                    .forEach(letter -> told.add(letter.path("position").asText()));
            cursor = page.has("next") ? "&cursor=" + page.path("next").asText() : null;
        } while (cursor != null);
        assertThat(told).containsExactly("0:4", "0:3", "0:2", "0:1", "0:0");

        assertThat(client.get(PATH + "?reason=no_policy").json().path("letters"))
                .extracting(letter -> letter.path("position").asText())
                .containsExactly("0:3", "0:1");
        assertThat(client.get(PATH + "?stage=intake").json().path("letters")).isEmpty();
        assertThat(client.get(PATH + "?from=2023-11-14T22:13:21Z&to=2023-11-14T22:13:22Z")
                        .json()
                        .path("letters"))
                .extracting(letter -> letter.path("position").asText())
                .containsExactly("0:1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "reason=bad_amuont|reason: no such reason, did you mean bad_amount?",
                "from=yesterday|from: expected a time such as 2026-11-30T12:00:00Z",
                "to=1|to: expected a time such as 2026-11-30T12:00:00Z",
                "limit=0|limit: expected an integer from 1 to 1000",
                "cursor=zzz|cursor: expected partition:offset, as in 3:17, found zzz"
            })
    void shouldSayWhichParameterIsWrong(String query, String detail) {
        ApiClient.Answer answer = client.get(PATH + "?" + query);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("detail").asText()).isEqualTo(detail);
    }

    // Field case H07.
    @Test
    void shouldShowEverythingOfALetterButTheCardNumber() {
        LetterPosition position =
                add(START_MS, Reason.BAD_AMOUNT, "{\"note\":\"4111-1111-1111-1111\",\"amount\":\"x\"}");

        ApiClient.Answer answer = client.get(PATH + "/0/" + position.offset());

        assertThat(answer.json().at("/letter/reason").asText()).isEqualTo("bad_amount");
        assertThat(answer.json().at("/letter/origin").asText()).isEqualTo("vigil.events:0:0");
        assertThat(answer.json().at("/key/text").asText()).isEqualTo("acc-1");
        assertThat(answer.json().at("/value/text").asText())
                .isEqualTo("{\"note\":\"4111-11**-****-1111\",\"amount\":\"x\"}");
        assertThat(answer.json().path("headers"))
                .extracting(header -> header.path("name").asText())
                .containsExactly("ce_id", "ce_type");
        assertThat(answer.body()).doesNotContain("4111-1111");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/0/0", "/9/1", "/0/99999999999999999999", "/a/b", "/-1/0"})
    void shouldAnswer404WhereThereIsNone(String path) {
        assertThat(client.get(PATH + path).status()).isEqualTo(404);
        assertThat(client.post(PATH + path + "/retry", "application/json", "{}").status())
                .isEqualTo(404);
    }

    @Test
    void shouldPutALetterBackAndShowItAsRetried() {
        add(START_MS, Reason.BAD_AMOUNT, "{}");

        ApiClient.Answer answer = client.post(PATH + "/0/0/retry", "application/json", "{}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().path("into").asText()).isEqualTo("vigil.events:0:0");
        assertThat(harness.letters.putBack()).hasSize(1);
        assertThat(client.get(PATH).json().at("/letters/0/retried/into").asText())
                .isEqualTo("vigil.events:0:0");
    }

    @Test
    void shouldSayWhyALetterCannotBePutBack() {
        harness.letters.add(0, START_MS, null, null, Letters.of(Reason.BAD_FIELD, "cdc-ingest"));

        ApiClient.Answer answer = client.post(PATH + "/0/0/retry", "application/json", "{}");

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().path("detail").asText()).startsWith("a row of the database is no record");
        assertThat(client.get(PATH).json().at("/letters/0/not_retryable").asText())
                .startsWith("a row of the database is no record");
    }

    /** What a page elsewhere can send without asking first. */
    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
    void shouldRefuseToPutBackForAForeignPage(String contentType) {
        add(START_MS, Reason.BAD_AMOUNT, "{}");

        assertThat(client.post(PATH + "/0/0/retry", contentType, "{}").status()).isEqualTo(415);
        assertThat(client.send(client.request(PATH + "/0/0/retry").POST(HttpRequest.BodyPublishers.noBody()))
                        .status())
                .isEqualTo(415);
        assertThat(harness.letters.putBack()).isEmpty();
    }

    @Test
    void shouldAnswer503AndNothingOfTheInsideWhileTheBrokerIsAway() {
        add(START_MS, Reason.BAD_AMOUNT, "{}");
        harness.letters.away(true);
        for (ApiClient.Answer answer : List.of(
                client.get(PATH),
                client.get(PATH + "/0/0"),
                client.post(PATH + "/0/0/retry", "application/json", "{}"))) {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.header("Retry-After")).isEqualTo("2");
            assertThat(answer.body()).doesNotContain("10.0.0.7");
        }
    }
}
