package dev.vigil.dashboard.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.card.CardKey;
import dev.vigil.event.card.CardTokens;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CloudEventReaderTest {
    private static final String EVENT = """
        {"specversion":"1.0","id":"e1","source":"/shop","type":"login","subject":"acc-1",
         "time":"2026-11-30T06:55:24Z","data":{"device":"d1"}}\
        """;

    private static final DeclaredTypes ALL = FakePolicies.all();

    private final CloudEventReader reader = reader("{max-events: 3, max-data-bytes: 64}");

    private static CloudEventReader reader(String intake) {
        return new CloudEventReader(FakePolicies.config(intake), () -> 0);
    }

    private Submission structured(String body) {
        return reader.readStructured(body.getBytes(StandardCharsets.UTF_8), ALL);
    }

    private static List<String> codes(Submission submission) {
        return submission.problems().stream()
                .map(p -> p.field() + " " + p.code())
                .toList();
    }

    @Test
    void shouldRefuseHalvesOfSurrogatePairsThatTheLogWouldMakeOneOf() {
        assertThat(structured(EVENT.replace("acc-1", "acc\\ud800")).problems())
                .singleElement()
                .hasToString(structured(EVENT.replace("acc-1", "acc\\udc00"))
                        .problems()
                        .get(0)
                        .toString())
                .asString()
                .contains("half surrogate pairs");
        assertThat(codes(structured(EVENT.replace("acc-1", "acc\\ud83d\\ude00"))))
                .isEmpty();
    }

    @Test
    void shouldReadAnEventWhateverTheOrderAndSpacing() {
        Submission submission = structured(" { \"data\" :  { \"a\" : [ 1.50 , {\"b\":\"}\"} ] }\n"
                + ", \"time\":\"2026-11-30T06:55:24Z\",\"subject\":\"ü-1\","
                + "\"type\":\"login\",\"source\":\"urn:x\",\"id\":\"e\",\"specversion\":\"1.0\",\"vigilbackfill\":true,\"other\":5}"
                + " ");
        assertThat(submission.problems()).isEmpty();
        assertThat(submission.events().get(0).backfill()).isTrue();
        assertThat(new String(submission.events().get(0).data(), StandardCharsets.UTF_8))
                .isEqualTo("{ \"a\" : [ 1.50 , {\"b\":\"}\"} ] }");
    }

    @ParameterizedTest
    @ValueSource(strings = {"specversion", "id", "source", "type", "subject", "time", "data"})
    void shouldRequireEachAttribute(String name) {
        assertThat(codes(structured(EVENT.replace("\"" + name + "\":", "\"x" + name + "\":"))))
                .contains(name + " missing");
        if (!name.equals("data")) {
            assertThat(codes(structured(EVENT.replaceFirst("\"" + name + "\":\"[^\"]*\"", "\"" + name + "\":null"))))
                    .as("null means unset")
                    .containsExactly(name + " missing");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"1.0\"|\"0.3\"|specversion malformed",
                "\"e1\"|\"\"|id missing",
                "\"e1\"|\"a\\u0000b\"|id malformed",
                "\"/shop\"|\"not a uri ://\"|source malformed",
                "\"login\"|\"vigil.policy\"|type reserved",
                "\"login\"|\"vigil.tick\"|type reserved",
                "\"login\"|\"vigil.references\"|type reserved",
                "\"2026-11-30T06:55:24Z\"|\"2026-11-30T06:55:24\"|time malformed",
                "\"2026-11-30T06:55:24Z\"|\"2026-02-30T06:55:24Z\"|time malformed",
                "\"2026-11-30T06:55:24Z\"|1796021724|time malformed",
                "\"acc-1\"|{}|subject malformed",
                "{\"device\":\"d1\"}|[1]|data malformed",
                "{\"device\":\"d1\"}|\"text\"|data malformed",
                "{\"device\":\"d1\"}|null|data missing",
                "\"data\":|\"data_base64\":|data malformed"
            })
    void shouldRefuseWhatIsNoSuchAttribute(String from, String to, String expected) {
        assertThat(codes(structured(EVENT.replace(from, to)))).containsExactly(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "null",
                "7",
                "[]",
                "\"text\"",
                "{\"a\":1} {\"a\":1}",
                "{\"data\":{\"amount\":NaN}}",
                "{\"data\":{\"a\":1,\"a\":2}}",
                "{\"id\":\"a\",\"id\":\"b\"}",
                "{'id':'a'}"
            })
    void shouldRefuseWhatIsNoJsonObject(String body) {
        assertThat(structured(body).problems()).isNotEmpty();
        assertThat(structured(body).events()).isEmpty();
    }

    @Test
    void shouldRefuseOtherEncodingsThanUtf8() {
        for (Charset charset :
                List.of(StandardCharsets.UTF_16, StandardCharsets.UTF_16LE, StandardCharsets.ISO_8859_1)) {
            assertThat(reader.readStructured(EVENT.replace("acc-1", "ü").getBytes(charset), ALL)
                            .problems())
                    .as(charset.name())
                    .extracting(EventProblem::code)
                    .containsExactly("malformed");
        }
    }

    @Test
    void shouldRefuseNestingWithoutEnd() {
        String deep = EVENT.replace("\"d1\"", "[".repeat(100_000) + "]".repeat(100_000));
        assertThat(structured(deep).problems()).extracting(EventProblem::code).containsExactly("malformed");
        assertThat(structured(deep).problems().get(0).detail())
                .isEqualTo("expected at most 1000 lists and objects within each other, found more");
    }

    @Test
    void shouldSayWhichMemberStandsTwiceAndShowNoCardNumber() {
        assertThat(structured(EVENT.replace("\"id\"", "\"id\":\"e0\",\"id\""))
                        .problems()
                        .get(0)
                        .detail())
                .startsWith("expected each member of an object once, found 'id' twice at line 1, column ");
        String card = "\"4111111111111111\":1,\"4111111111111111\":2,\"device\"";
        assertThat(structured(EVENT.replace("\"device\"", card)).problems())
                .extracting(EventProblem::detail)
                .anyMatch(detail -> detail.contains("found '411111******1111' twice"))
                .noneMatch(detail -> detail.contains("4111111111111111"));
    }

    @Test
    void shouldSayThatATimeLooksLikeSecondsTakenForMilliseconds() {
        CloudEventReader now = new CloudEventReader(FakePolicies.config("{}"), () -> 1_796_028_924_250L);
        String slip = EVENT.replace("2026-11-30T06:55:24Z", "1970-01-21T18:53:48.924Z");
        assertThat(now.readStructured(slip.getBytes(StandardCharsets.UTF_8), ALL)
                        .problems())
                .containsExactly(new EventProblem(
                        null,
                        "time",
                        "malformed",
                        "expected the event's own time, found 1970-01-21T18:53:48.924Z, which looks like seconds taken for"
                                + " milliseconds, or milliseconds for microseconds"));
        for (String time : List.of("1970-01-01T00:00:00Z", "1970-06-01T00:00:00Z", "2006-12-01T00:00:00Z")) {
            String old = EVENT.replace("2026-11-30T06:55:24Z", time);
            assertThat(now.readStructured(old.getBytes(StandardCharsets.UTF_8), ALL)
                            .problems())
                    .as(time)
                    .isEmpty();
        }
    }

    @Test
    void shouldNameTheNearestFieldOfOneThatIsNotDeclared() {
        String event = EVENT.replace("\"device\"", "\"devise\":1,\"colour\":1,\"device\"");
        Submission submission =
                reader("{}").readStructured(event.getBytes(StandardCharsets.UTF_8), FakePolicies.of("login: device"));

        assertThat(submission.warnings())
                .extracting(EventProblem::detail)
                .containsExactlyInAnyOrder(
                        "policy fake version 1 declares no such field of login, so that it is not read; did you mean"
                                + " 'device'?",
                        "policy fake version 1 declares no such field of login, so that it is not read");
    }

    @Test
    void shouldRefuseLargeData() {
        assertThat(codes(structured(EVENT.replace("d1", "d".repeat(64))))).containsExactly("data too_large");
    }

    @Test
    void shouldBoundTheNumberOfEventsAndRefuseNone() {
        String four = "[" + EVENT + "," + EVENT + "," + EVENT + "," + EVENT + "]";
        assertThat(reader.readBatch(four.getBytes(StandardCharsets.UTF_8), ALL).problems())
                .extracting(EventProblem::code)
                .containsExactly("too_large");
        assertThat(reader.readBatch("[]".getBytes(StandardCharsets.UTF_8), ALL).problems())
                .hasSize(1);
        assertThat(reader.readBatch(EVENT.getBytes(StandardCharsets.UTF_8), ALL).problems())
                .hasSize(1);
    }

    @Test
    void shouldTellThePlaceOfBrokenJsonAndNotItsContent() {
        Submission submission = structured("{\"id\": \"e1\",\n \"data\": {\"pan\": 1111111111111111x}}");
        assertThat(submission.problems().get(0).detail()).isEqualTo("not JSON at line 2, column 34");
    }

    @Test
    void shouldFindCardNumbersWhereverTheyHide() {
        assertThat(codes(structured(EVENT.replace("acc-1", "4111111111111111"))))
                .containsExactly("subject card_number");
        assertThat(codes(structured(EVENT.replace("\"d1\"", "[{\"n\":\"4111111111111111\"}]"))))
                .containsExactly("/data/device/0/n card_number");
        for (String whole : List.of("4111111111111111.0", "4.111111111111111e15", "41111111111111110e-1")) {
            assertThat(codes(structured(EVENT.replace("\"d1\"", whole))))
                    .as(whole)
                    .isEqualTo(codes(structured(EVENT.replace("\"d1\"", "4111111111111111"))));
        }
        assertThat(codes(structured(EVENT.replace("\"d1\"", "1e999999999")))).isEmpty();
        assertThat(codes(structured(EVENT.replace("\"d1\"", "4111111111111111.5"))))
                .isEmpty();
        assertThat(codes(structured(EVENT.replace("\"d1\"", "4111111111111111"))))
                .containsExactly("/data/device card_number");
        assertThat(codes(structured(EVENT.replace("device", "4111111111111111"))))
                .containsExactly("data card_number");
        assertThat(structured(EVENT.replace("\"d1\"", "{\"4111111111111111\":{\"x\":\"4111111111111111\"}}"))
                        .problems())
                .allSatisfy(problem -> assertThat(problem.toString()).doesNotContain("41111111"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e2147483647", "12e2147483646", "-1E+2147483646", "1e-2147483647", "1e99999999999"})
    void shouldRefuseNumbersWhoseExponentNothingCanReckonWith(String number) {
        DeclaredTypes texts = FakePolicies.of("login: device");
        for (String data : List.of("{\"device\":N}", "{\"amount\":N}", "{\"device\":[{\"x\":N}]}")) {
            String event = EVENT.replace("{\"device\":\"d1\"}", data.replace("N", number));
            String batch = "[" + EVENT + "," + event + "]";
            Submission submission = reader("{}").readBatch(batch.getBytes(StandardCharsets.UTF_8), ALL);
            assertThat(submission.problems())
                    .singleElement()
                    .isEqualTo(new EventProblem(
                            1,
                            "/data/" + (data.contains("x") ? "device/0/x" : data.substring(2, 8)),
                            "bad_field",
                            "expected a number of at most 1000000000 places before and behind the point, found "
                                    + number));
            assertThat(reader("{}")
                            .readStructured(event.getBytes(StandardCharsets.UTF_8), texts)
                            .problems())
                    .as("nothing else is said of what the policy cannot read")
                    .hasSize(1);
        }
        assertThat(structured(EVENT.replace("\"d1\"", "4111111111111111e2147483640"))
                        .toString())
                .doesNotContain("4111111111111111")
                .contains("found …e2147483640");
    }

    @Test
    void shouldSayWhichNumberItMeansWithoutItsMiddle() {
        assertThat(structured(EVENT.replace("d1", "for 4111 1111 1111 1111 and 5105105105105100"))
                        .problems())
                .extracting(EventProblem::detail)
                .containsExactly("looks like a payment card number (4111 11** **** 1111); send a token in its place");
        for (String field : List.of("acc-1", "e1", "/shop")) {
            assertThat(structured(EVENT.replace("\"" + field + "\"", "\"/x4111111111111111y\""))
                            .problems())
                    .as(field)
                    .extracting(EventProblem::code)
                    .containsExactly("card_number");
        }
        assertThat(codes(structured(EVENT.replace("\"data\":", "\"comment\":\"4111111111111111\",\"data\":"))))
                .as("an extension, though it is not kept")
                .containsExactly("comment card_number");
        assertThat(structured(
                                EVENT.replace(
                                        "\"data\":",
                                        "\"traceparent\":\"00-4bf92f3577b34da6a3ce929d0e0e4736-4111111111111111-01\",\"data\":"))
                        .events())
                .hasSize(1);
        assertThat(structured(EVENT.replace("acc-1", "4111111111111112")).events())
                .as("fails the check")
                .hasSize(1);
    }

    @Test
    void shouldNameFieldsOfBinaryEventsAsOfOthers() {
        byte[] data = "{\"a\":{\"data\":4111111111111111}}".getBytes(StandardCharsets.UTF_8);
        assertThat(codes(reader("{}").readBinary(Map.of("type", "login"), null, data, ALL)))
                .contains("/data/a/data card_number");
    }

    private static final String KEYS = "card-numbers: {mode: tokenise, keys: [{id: k1, secret: "
            + Base64.getEncoder().encodeToString(new byte[32]) + "}]}";

    @Test
    void shouldPutTokensInThePlaceOfCardNumbers() {
        CloudEventReader tokenising = reader("{" + KEYS + "}");
        String token = new CardTokens(List.of(new CardKey("k1", new byte[32]))).token("4111111111111111");
        String event = """
            {"specversion":"1.0","id":"tx-4111 1111 1111 1111","source":"/shop/4111111111111111","type":"login",
             "subject":"4111-1111-1111-1111","time":"2026-11-30T06:55:24Z","note":"4111111111111111",
             "data" : { "größe" : "ü 4111 1111 1111 1111 ü", "n":4111111111111111 , "f" : -4.111111111111111e15,
               "l":["4111111111111111","1.50",1.50],"e":"41111111111\\u0031\\u0031111","big":12345678901234567890123}}\
            """;

        Submission submission = tokenising.readStructured(event.getBytes(StandardCharsets.UTF_8), ALL);

        assertThat(submission.problems()).isEmpty();
        EventEnvelope read = submission.events().get(0);
        assertThat(read.id()).isEqualTo("tx-" + token);
        assertThat(read.source()).isEqualTo("/shop/" + token);
        assertThat(read.subject()).isEqualTo(token);
        assertThat(new String(read.data(), StandardCharsets.UTF_8))
                .isEqualTo("{ \"größe\" : \"ü TOKEN ü\", \"n\":\"TOKEN\" , \"f\" : \"TOKEN\",\n".replace("TOKEN", token)
                        + "   \"l\":[\"TOKEN\",\"1.50\",1.50],\"e\":\"TOKEN\",\"big\":12345678901234567890123}"
                                .replace("TOKEN", token));
        assertThat(submission.tokenisedCount()).isEqualTo(9);
    }

    @Test
    void shouldRefuseCardNumbersWhereATokenWouldMakeNoSense() {
        CloudEventReader tokenising = reader("{" + KEYS + "}");
        for (String event : List.of(
                EVENT.replace("\"login\"", "\"4111111111111111\""),
                EVENT.replace("\"device\"", "\"4111111111111111\""))) {
            Submission submission = tokenising.readStructured(event.getBytes(StandardCharsets.UTF_8), ALL);
            assertThat(submission.problems()).extracting(EventProblem::code).contains("card_number");
            assertThat(submission.toString()).doesNotContain("4111111111111111");
        }
    }

    @Test
    void shouldHoldTokensAgainstThePolicyAndNotWhatTheyStandFor() {
        CloudEventReader tokenising = reader("{" + KEYS + "}");
        Submission submission = tokenising.readStructured(
                EVENT.replace("\"d1\"", "4111111111111111").getBytes(StandardCharsets.UTF_8),
                FakePolicies.of("login: device"));
        assertThat(submission.events()).as("a number became a text").hasSize(1);
    }

    @Test
    void shouldStopReadingWhereEverythingIsWrong() {
        CloudEventReader roomy = reader("{max-events: 10000}");
        String batch = "[" + "7,".repeat(5_000) + EVENT + "]";
        Submission submission = roomy.readBatch(batch.getBytes(StandardCharsets.UTF_8), ALL);
        assertThat(submission.problems()).hasSizeBetween(1_000, 1_100);
        assertThat(submission.eventCount()).isEqualTo(1_000);
    }

    @Test
    void shouldCheckLabels() {
        String label = EVENT.replace("\"login\"", "\"vigil.label\"");
        assertThat(codes(structured(label)))
                .containsExactlyInAnyOrder(
                        "/data/event_source missing",
                        "/data/event_id missing",
                        "/data/label missing",
                        "/data/value missing");
        CloudEventReader roomy = reader("{max-data-bytes: 1000}");
        Submission good = roomy.readStructured(
                label.replace(
                                "{\"device\":\"d1\"}",
                                "{\"event_source\":\"/bank\",\"event_id\":\"tx-1\",\"label\":\"fraud\",\"value\":true}")
                        .getBytes(StandardCharsets.UTF_8),
                ALL);
        assertThat(good.problems()).isEmpty();
        assertThat(good.events()).hasSize(1);
    }

    @Test
    void shouldHoldEventsAgainstTheTypesOfThePolicy() {
        DeclaredTypes types = FakePolicies.of("login: device ip");
        String bad = EVENT.replace("{\"device\":\"d1\"}", "{\"device\":7,\"ip\":true}");
        String other = EVENT.replace("\"login\"", "\"logout\"");
        Submission submission =
                reader.readBatch(("[" + EVENT + "," + bad + "," + other + "]").getBytes(StandardCharsets.UTF_8), types);

        assertThat(submission.events()).isEmpty();
        assertThat(submission.problems())
                .containsExactly(
                        new EventProblem(1, "/data/device", "bad_field", "expected a text, found 7"),
                        new EventProblem(1, "/data/ip", "bad_field", "expected a text, found true"),
                        new EventProblem(2, "type", "unknown_event_type", "expected one of [login], found logout"));
    }

    @Test
    void shouldTellOfAttributesAndFieldsTogether() {
        String bad =
                EVENT.replace("\"e1\"", "\"\"").replace("\"acc-1\"", "null").replace("06:55:24Z", "morning");
        Submission submission = reader.readStructured(
                bad.replace("\"d1\"", "7").getBytes(StandardCharsets.UTF_8), FakePolicies.of("login: device"));
        assertThat(codes(submission))
                .containsExactly("id missing", "subject missing", "time malformed", "/data/device bad_field");
    }

    @Test
    void shouldNotRepeatCardNumbersThatFieldsHold() {
        DeclaredTypes types = FakePolicies.of("login: device");
        Submission submission = reader.readStructured(
                EVENT.replace("\"d1\"", "4111111111111111").getBytes(StandardCharsets.UTF_8), types);
        assertThat(submission.problems())
                .extracting(EventProblem::detail)
                .containsExactly(
                        "looks like a payment card number (411111******1111); send a token in its place",
                        "expected a text, found 411111******1111");
    }

    @ParameterizedTest
    @CsvSource({"ignore,0,0", "warn,0,2", "refuse,2,0"})
    void shouldTreatFieldsThatAreNotDeclaredAsConfigured(String mode, int problems, int warnings) {
        CloudEventReader reader = reader("{unknown-fields: " + mode + "}");
        String event = EVENT.replace("\"device\"", "\"a/b~c\":[{\"x\":1}],\"color\":1,\"device\"");
        Submission submission = reader.readBatch(
                ("[" + EVENT + "," + event + "]").getBytes(StandardCharsets.UTF_8), FakePolicies.of("login: device"));

        assertThat(submission.problems()).hasSize(problems);
        assertThat(submission.warnings()).hasSize(warnings);
        assertThat(submission.events()).hasSize(problems == 0 ? 2 : 0);
        List<EventProblem> told = problems > 0 ? submission.problems() : submission.warnings();
        assertThat(told).allSatisfy(problem -> {
            assertThat(problem.index()).isEqualTo(1);
            assertThat(problem.code()).isEqualTo("unknown_field");
            assertThat(problem.field()).isIn("/data/a~1b~0c", "/data/color");
        });
    }

    @Test
    void shouldTakeReferenceRowsAndTheirRemoval() {
        String row = EVENT.replace("\"login\"", "\"vigil.reference.account\"");
        assertThat(structured(row).events()).hasSize(1);
        for (String gone :
                List.of(row.replace("{\"device\":\"d1\"}", "null"), row.replace(",\"data\":{\"device\":\"d1\"}", ""))) {
            assertThat(structured(gone).events())
                    .singleElement()
                    .satisfies(event -> assertThat(event.data()).isEmpty());
        }
        assertThat(codes(structured(row.replace("{\"device\":\"d1\"}", "[]")))).containsExactly("data malformed");
    }

    @Test
    void shouldReadBinaryMode() {
        Map<String, String> attributes = Map.of(
                "specversion",
                "1.0",
                "id",
                "e1",
                "source",
                "/s",
                "type",
                "login",
                "subject",
                "a",
                "time",
                "2026-11-30T06:55:24Z");
        byte[] body = "{\"x\":1}".getBytes(StandardCharsets.UTF_8);
        assertThat(reader.readBinary(attributes, "application/json;charset=UTF-8", body, ALL)
                        .events())
                .hasSize(1);
        assertThat(codes(reader.readBinary(attributes, "text/xml", body, ALL)))
                .containsExactly("datacontenttype malformed");
        assertThat(reader.readBinary(attributes, "application/json", new byte[0], ALL)
                        .problems())
                .hasSize(1);
    }
}
