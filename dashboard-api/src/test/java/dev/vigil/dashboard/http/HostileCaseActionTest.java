package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.dashboard.cases.SampleCases;
import dev.vigil.dashboard.intake.FakePolicies;
import java.net.http.HttpRequest;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions that nobody should send, and people who are not who they say they are. */
final class HostileCaseActionTest {
    private static final String PATH = "/api/v1/cases/c1/actions";
    private static final String JSON = "application/json";
    private static final String ACKNOWLEDGE = "{\"action\":\"acknowledge\",\"by\":\"jo\"}";

    private PageHarness harness;
    private ApiClient client;

    @BeforeEach
    void start() {
        use(PageHarness.started());
    }

    private void use(PageHarness next) {
        if (harness != null) {
            harness.close();
        }
        harness = next;
        harness.cases.put(SampleCases.of("c1", "A-1"));
        client = new ApiClient(harness.url());
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    private void refuses(String body, String detail) {
        ApiClient.Answer answer = client.post(PATH, JSON, body);
        assertThat(answer.status()).as(body).isEqualTo(400);
        assertThat(answer.json().path("detail").asText()).as(body).contains(detail);
        assertThat(harness.cases.appended()).as(body).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'action':'acknowledge'}|by: expected the name of who does it, found none",
                "{'action':'acknowlege','by':'jo'}|action: unknown action 'acknowlege', did you mean 'acknowledge'?",
                "{'action':'destroy','by':'jo'}|action: unknown action 'destroy', expected one of acknowledge, assign",
                "{'by':'jo'}|action: expected one of acknowledge, assign, note, close, reopen, snooze, unsnooze, found none",
                "{'action':7,'by':'jo'}|action: expected a text, found 7",
                "{'action':'acknowledge','by':{'a':1}}|by: expected a text, found an object",
                "{'action':'acknowledge','by':'  '}|by: expected a text, found none",
                "{'action':'acknowledge','by':'jo','if_revison':1}|unknown key 'if_revison', did you mean 'if_revision'?",
                "{'action':'acknowledge','by':'jo','case_id':'c2'}|unknown key 'case_id', expected action, by,",
                "{'action':'acknowledge','by':'jo','if_revision':'1'}|if_revision: expected the revision of a case, found 1",
                "{'action':'acknowledge','by':'jo','if_revision':1.5}|if_revision: expected",
                "{'action':'acknowledge','by':'jo','if_revision':1e2147483647}|if_revision: expected",
                "{'action':'acknowledge','by':'jo','if_revision':-1}|if_revision: expected",
                "{'action':'acknowledge','by':'jo','if_revision':99999999999999999999}|if_revision: expected",
                "{'action':'acknowledge','by':'jo','disposition':'fraud'}|disposition: expected with close alone, found with"
                        + " acknowledge",
                "{'action':'acknowledge','by':'jo','by':'ann'}|found no JSON",
                "{'action':'assign','by':'jo'}|assignee: expected a name, or null for nobody, found none",
                "{'action':'note','by':'jo'}|note: expected a text, found none",
                "{'action':'note','by':'jo','note':'\\n \\n'}|note: expected a text, found none",
                "{'action':'close','by':'jo'}|disposition: expected fraud, legitimate or unsure, found none",
                "{'action':'close','by':'jo','disposition':'Fraud'}|found Fraud",
                "{'action':'snooze','by':'jo'}|expected either until, such as",
                "{'action':'snooze','by':'jo','for':'2h','until':'2027-01-15T11:00:00Z'}|expected either until",
                "{'action':'snooze','by':'jo','for':'2 hours'}|for: expected a duration such as 30s",
                "{'action':'snooze','by':'jo','for':'0s'}|for: expected a duration above 0",
                "{'action':'snooze','by':'jo','for':'31d'}|for: expected a duration above 0 and of at most 30d, found 31d",
                "{'action':'snooze','by':'jo','until':'tomorrow'}|until: expected a time such as",
                "{'action':'snooze','by':'jo','until':'9999-12-31T23:59:59Z'}|until: expected at most 30 days ahead",
                "{'action':'snooze','by':'jo','until':'0001-01-01T00:00:00Z'}|until: expected a time after the case's last"
            })
    void shouldSayWhatIsWrongWithAnAction(String body, String detail) {
        refuses(body.replace('\'', '"'), detail);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "7", "{", "\0\0\0\0", "\0\0\0\0{}", "\0{\"action\":1}", "\u00ff\u00fe{}"})
    void shouldAnswer400ToWhatIsNoJsonObjectInWhateverEncoding(String body) {
        refuses(body, "expected a JSON object such as");
    }

    @Test
    void shouldNotFollowAMillionBrackets() {
        refuses("{\"action\":" + "[".repeat(30_000), "expected a JSON object");
    }

    @Test
    void shouldBoundLengths() {
        refuses(
                "{\"action\":\"acknowledge\",\"by\":\"" + "j".repeat(101) + "\"}",
                "by: expected at most 100 characters, found 101");
        refuses(note("n".repeat(4_001)), "note: expected at most 4000 characters, found 4001");
        assertThat(client.post(PATH, JSON, note(" ".repeat(70_000))).status()).isEqualTo(413);
        assertThat(client.post(PATH, JSON, note("😀".repeat(4_000))).status()).isEqualTo(200);
    }

    private static String note(String text) {
        return "{\"action\":\"note\",\"by\":\"jo\",\"note\":\"" + text + "\"}";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\u001b[31m",
                "\\u0000",
                "\\u202e",
                "\\u2028",
                "\\ud800",
                "\\udc00x",
                "\\u200b",
                "\\u0085",
                "\\r"
            })
    void shouldRefuseControlCharactersInNamesAndNotes(String escape) {
        refuses(note("a" + escape + "b"), "note: expected a text without control characters, found \\");
        refuses(
                "{\"action\":\"acknowledge\",\"by\":\"a" + escape + "b\"}",
                "by: expected a text without control characters");
        refuses(
                "{\"action\":\"assign\",\"by\":\"jo\",\"assignee\":\"a" + escape + "b\"}",
                "assignee: expected a text without control characters");
        refuses(
                "{\"action\":\"acknowledge\",\"by\":\"a\\nb\"}",
                "by: expected a text without control characters, found \\n");
        refuses("{\"a" + escape + "\":1}", escape.startsWith("\\ud") ? "found no JSON" : "unknown key 'a\\");
    }

    @Test
    void shouldRefuseCardNumbersWhereverTheyAreWritten() {
        refuses(note("paid with 4111 1111 1111 1111"), "note: looks like a payment card number (4111 11** **** 1111)");
        refuses("{\"action\":\"acknowledge\",\"by\":\"4111111111111111\"}", "by: looks like a payment card number");
        ApiClient.Answer answer = client.post(PATH, JSON, note("4111-1111-1111-1111"));
        assertThat(answer.body()).doesNotContain("4111-1111-1111-1111");
    }

    @Test
    void shouldPutTokensInThePlaceOfCardNumbersWhereTheDeploymentSaysSo() {
        String secret = Base64.getEncoder().encodeToString(new byte[32]);
        use(started("{card-numbers: {mode: tokenise, keys: [{id: k1, secret: \"" + secret + "\"}]}}", null));
        ApiClient.Answer answer = client.post(PATH, JSON, note("paid with 4111 1111 1111 1111."));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(harness.cases.appended().get(0).note())
                .startsWith("paid with ")
                .doesNotContain("4111 1111")
                .endsWith(".");
    }

    private static PageHarness started(String intake, String userHeader) {
        PageHarness started = new PageHarness(
                1_800_000_000_000L,
                0,
                PageHarness::answer,
                FakePolicies.config(intake),
                FakePolicies.active(FakePolicies.takingAll()),
                userHeader);
        started.server.start("dashboard");
        return started;
    }

    /** A form, or a script's simple request, can be sent from anywhere without asking. */
    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"})
    void shouldTakeNothingThatAForeignPageCouldSend(String contentType) {
        assertThat(client.post(PATH, contentType, ACKNOWLEDGE).status()).isEqualTo(415);
        ApiClient.Answer untyped =
                client.send(client.request(PATH).POST(HttpRequest.BodyPublishers.ofString(ACKNOWLEDGE)));
        assertThat(untyped.status()).isEqualTo(415);
        String preflight = RawHttp.exchange(
                harness.server.port(),
                "OPTIONS " + PATH + " HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\n"
                        + "Access-Control-Request-Method: POST\r\nConnection: close\r\n\r\n");
        assertThat(preflight).doesNotContain("Access-Control");
        String rebound = RawHttp.exchange(
                harness.server.port(),
                "POST " + PATH + " HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: "
                        + ACKNOWLEDGE.length() + "\r\nConnection: close\r\n\r\n" + ACKNOWLEDGE);
        assertThat(RawHttp.status(rebound)).isEqualTo(403);
        assertThat(harness.cases.appended()).isEmpty();
    }

    @Test
    void shouldTakeTheNameThatATrustedProxySays() {
        use(started("{rate-limit: {trusted-proxies: [127.0.0.0/8]}}", "X-Forwarded-User"));
        String nameless = "{\"action\":\"acknowledge\"}";
        assertThat(client.post(PATH, JSON, nameless, "X-Forwarded-User", "ann").status())
                .isEqualTo(200);
        assertThat(client.post(PATH, JSON, nameless.replace("}", ",\"by\":\"ann\"}"), "X-Forwarded-User", "ann")
                        .status())
                .isEqualTo(200);
        assertThat(harness.cases.appended())
                .extracting("by")
                .containsOnly("ann")
                .hasSize(2);
        assertThat(client.post(PATH, JSON, ACKNOWLEDGE, "X-Forwarded-User", "ann")
                        .status())
                .as("another name in the body")
                .isEqualTo(403);
        assertThat(client.post(PATH, JSON, ACKNOWLEDGE).status())
                .as("no header")
                .isEqualTo(403);
        assertThat(client.post(PATH, JSON, ACKNOWLEDGE, "X-Forwarded-User", "jo", "X-Forwarded-User", "ann")
                        .status())
                .as("one header by the client, one by the proxy")
                .isEqualTo(403);
        assertThat(client.post(PATH, JSON, nameless, "X-Forwarded-User", "a".repeat(101))
                        .status())
                .isEqualTo(400);
        assertThat(harness.cases.appended()).hasSize(2);
        assertThat(client.send(client.request("/api/v1/info").header("X-Forwarded-User", "ann"))
                        .json()
                        .path("user")
                        .asText())
                .isEqualTo("ann");
        assertThat(client.get("/api/v1/info").json().has("user")).isFalse();
    }

    @Test
    void shouldBelieveNobodyWhoDoesNotComeThroughTheProxyThatNames() {
        use(started("{rate-limit: {trusted-proxies: [10.0.0.0/8]}}", "X-Forwarded-User"));
        for (String body : new String[] {ACKNOWLEDGE, "{\"action\":\"acknowledge\"}"}) {
            ApiClient.Answer answer =
                    client.post(PATH, JSON, body, "X-Forwarded-User", "ann", "X-Forwarded-For", "10.1.1.1");
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.json().path("detail").asText()).contains("call through it");
        }
        assertThat(harness.cases.appended()).isEmpty();
        assertThat(client.get(PATH.replace("/actions", "")).status()).isEqualTo(200);
    }

    @Test
    void shouldIgnoreTheHeaderWhereNoneIsConfigured() {
        use(started("{}", null));
        assertThat(client.post(PATH, JSON, ACKNOWLEDGE, "X-Forwarded-User", "ann")
                        .status())
                .isEqualTo(200);
        assertThat(harness.cases.appended().get(0).by()).isEqualTo("jo");
        assertThat(client.post(PATH, JSON, "{\"action\":\"acknowledge\"}", "X-Forwarded-User", "ann")
                        .status())
                .isEqualTo(400);
    }
}
