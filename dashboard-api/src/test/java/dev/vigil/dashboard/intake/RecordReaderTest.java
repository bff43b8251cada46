package dev.vigil.dashboard.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class RecordReaderTest {
    private static final String KEY = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
    private static final DeclaredTypes LOGIN = FakePolicies.of("login: device ip");
    private static final DeclaredTypes PLAIN = FakePolicies.of("login: device ip\nplain: id time account type");

    private static RecordReader reader(String config) {
        return new RecordReader(FakePolicies.config(config), RegistryValues.none(), () -> 1_796_028_924_250L);
    }

    static SentRecord record(@Nullable String key, @Nullable String value, String... headers) {
        List<SentRecord.Header> list = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            list.add(new SentRecord.Header(headers[i], bytes(headers[i + 1])));
        }
        return new SentRecord(key == null ? null : bytes(key), value == null ? null : bytes(value), list);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Submission read(SentRecord record, DeclaredTypes types) {
        return reader("{}").read(record, types).orElseThrow();
    }

    private static SentRecord binary(@Nullable String value, String... more) {
        List<String> headers = new ArrayList<>(List.of(
                "ce_specversion",
                "1.0",
                "ce_id",
                "e1",
                "ce_source",
                "/shop",
                "ce_type",
                "login",
                "ce_subject",
                "acc-1",
                "ce_time",
                "2026-11-30T06:55:24.25Z",
                "content-type",
                "application/json",
                "traceparent",
                "00-1-2-3"));
        headers.addAll(List.of(more));
        return record("anything", value, headers.toArray(new String[0]));
    }

    private static void isTheLogin(Submission submission) {
        assertThat(submission.problems()).isEmpty();
        EventEnvelope event = submission.events().get(0);
        assertThat(event.id()).isEqualTo("e1");
        assertThat(event.subject()).isEqualTo("acc-1");
        assertThat(event.type()).isEqualTo("login");
        assertThat(event.timeUs()).isEqualTo(EventTimes.parse("2026-11-30T06:55:24.25Z"));
        assertThat(new String(event.data(), StandardCharsets.UTF_8)).contains("\"device\":\"d1\"");
    }

    @Test
    void shouldReadAttributesFromHeadersWhateverTheKey() {
        Submission submission = read(binary("{\"device\":\"d1\"}"), LOGIN);
        isTheLogin(submission);
        assertThat(submission.events().get(0).source()).isEqualTo("/shop");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/cloudevents+json", "Application/CloudEvents+JSON; charset=utf-8"})
    void shouldReadAStructuredEvent(String contentType) {
        isTheLogin(read(record(null, """
                    {"specversion":"1.0","id":"e1","source":"/shop","type":"login","subject":"acc-1",
                     "time":"2026-11-30T06:55:24.25Z","data":{"device":"d1"}}""", "content-type", contentType), LOGIN));
    }

    @Test
    void shouldReadABatchWhollyOrNotAtAll() {
        String event = """
            {"specversion":"1.0","id":"%s","source":"/shop","type":"login","subject":"acc-1",
             "time":"2026-11-30T06:55:24.25Z","data":{"device":%s}}""";
        String good = event.formatted("e1", "\"d1\"");
        String[] batch = {"content-type", "application/cloudevents-batch+json"};
        assertThat(read(record(null, "[" + good + "," + event.formatted("e2", "\"d2\"") + "]", batch), LOGIN)
                        .events())
                .extracting(EventEnvelope::id)
                .containsExactly("e1", "e2");
        Submission refused = read(record(null, "[" + good + "," + event.formatted("e2", "7") + "]", batch), LOGIN);
        assertThat(refused.events()).isEmpty();
        assertThat(refused.problems()).extracting(EventProblem::index).containsExactly(1);
    }

    @Test
    void shouldReadAPlainRecordAsThePolicySays() {
        String json = """
            {"id":"e1","time":"2026-11-30T06:55:24.25Z","account":"acc-1","type":"login","device":"d1"}""";
        Submission submission = read(record("k", json), PLAIN);
        isTheLogin(submission);
        assertThat(submission.warnings())
                .as("parts of the envelope are no unknown fields")
                .isEmpty();
        assertThat(submission.events().get(0).source()).isEqualTo("/plain");
    }

    @Test
    void shouldReadARecordThatBeginsWithAByteOrderMark() {
        String json = """
            {"id":"e1","time":"2026-11-30T06:55:24.25Z","account":"acc-1","type":"login","device":"d1"}""";
        Submission submission = read(record("k", "\uFEFF" + json), PLAIN);
        isTheLogin(submission);
        assertThat(new String(submission.events().get(0).data(), StandardCharsets.UTF_8))
                .isEqualTo(json);
    }

    @Test
    void shouldTakeTheAccountFromTheKeyWhereThePolicyLeadsToNone() {
        DeclaredTypes keyed = FakePolicies.of("login: device\nplain: id time type");
        String json = "{\"id\":\"e1\",\"time\":\"2026-11-30T06:55:24.25Z\",\"type\":\"login\",\"device\":\"d1\"}";
        isTheLogin(read(record("acc-1", json), keyed));
        assertThat(read(record(null, json), keyed).problems())
                .extracting(EventProblem::field, EventProblem::code)
                .containsExactly(org.assertj.core.api.Assertions.tuple("subject", EventProblem.MISSING));
    }

    @Test
    void shouldTellEverythingThatIsWrongWithAPlainRecord() {
        assertThat(read(record("k", "{\"type\":\"login\",\"device\":7}"), PLAIN).problems())
                .extracting(EventProblem::field)
                .containsExactlyInAnyOrder("id", "subject", "time", "/data/device");
    }

    @Test
    void shouldRefusePlainRecordsWhereThePolicyDoesNotSayHowToReadThem() {
        assertThat(read(record("k", "{}"), LOGIN).problems())
                .extracting(EventProblem::detail)
                .containsExactly(
                        "expected ce_ headers, found none, and no plain mapping is configured: policy fake version 1"
                                + " has no section 'plain', which says how to read records without");
        assertThat(Refusals.reason(
                        read(record("k", "no JSON"), LOGIN).problems().get(0)))
                .isEqualTo(DeadLetter.Reason.MALFORMED_ENVELOPE);
    }

    @Test
    void shouldNameThePathWhereThePolicyLooksForWhatIsMissing() {
        assertThat(read(record("k", "{\"id\":\"e1\",\"account\":\"a\",\"type\":\"login\",\"device\":\"d1\"}"), PLAIN)
                        .problems())
                .containsExactly(new EventProblem(
                        null,
                        "time",
                        "missing",
                        "expected the event's own time at time, where the policy's section 'plain' looks for it"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{\"id\":", "[]", "7", "{} {}", "{\"id\":\"a\",\"id\":\"b\"}", "nonsense"})
    void shouldRefuseWhatIsNoJsonObject(String value) {
        for (SentRecord record : List.of(record("k", value), binary(value))) {
            assertThat(read(record, PLAIN).problems()).as(value).isNotEmpty();
            assertThat(read(record, PLAIN).events()).isEmpty();
        }
    }

    @Test
    void shouldRefuseBytesThatAreNoUtf8() {
        SentRecord value = new SentRecord(null, new byte[] {(byte) 0xff, (byte) 0xff}, List.of());
        assertThat(read(value, PLAIN).problems()).isNotEmpty();
        List<SentRecord.Header> headers = new ArrayList<>(binary("{}").headers());
        headers.add(new SentRecord.Header("ce_id", new byte[] {(byte) 0xc3}));
        assertThat(read(new SentRecord(null, bytes("{}"), headers), LOGIN).problems())
                .extracting(EventProblem::field)
                .as("two such ids would be one text")
                .containsExactly("id");
    }

    @Test
    void shouldSkipATombstoneAndTakeTheRemovalOfAReferenceRow() {
        assertThat(reader("{}").read(record("k", null), PLAIN)).isEmpty();
        SentRecord removal = binary(null, "ce_type", "vigil.reference.account");
        Optional<Submission> read = reader("{}").read(removal, FakePolicies.all());
        assertThat(read.orElseThrow().events()).hasSize(1);
        assertThat(read(binary(null), LOGIN).problems())
                .as("an event without data")
                .isNotEmpty();
    }

    @Test
    void shouldRefuseOtherFormsOfCloudEventsAndTypesOfVigilsOwn() {
        assertThat(read(record(null, "{}", "content-type", "application/cloudevents+avro"), LOGIN)
                        .problems())
                .extracting(EventProblem::field)
                .containsExactly("content-type");
        assertThat(read(binary("{}", "ce_type", "vigil.policy"), LOGIN).problems())
                .extracting(EventProblem::code)
                .containsExactly(EventProblem.RESERVED);
    }

    @Test
    void shouldRefuseARegisteredSchemaWhereNoRegistryIsConfigured() {
        SentRecord avro = new SentRecord(null, new byte[] {0, 0, 0, 0, 7, 2, 'a'}, List.of());
        assertThat(read(avro, PLAIN).problems())
                .extracting(EventProblem::code)
                .containsExactly(EventProblem.UNKNOWN_SCHEMA);
    }

    @Test
    void shouldKeepCardNumbersOutAsByHttp() {
        String json = """
            {"id":"4111 1111 1111 1111","time":"2026-11-30T06:55:24.25Z","account":"acc-1","type":"login",
             "device":4111111111111111}""";
        assertThat(read(record("k", json), PLAIN).problems())
                .extracting(EventProblem::code)
                .contains(EventProblem.CARD_NUMBER);
        String tokens = "{card-numbers: {mode: tokenise, keys: [{id: k1, secret: '" + KEY + "'}]}}";
        Submission taken = reader(tokens).read(record("k", json), PLAIN).orElseThrow();
        assertThat(taken.problems()).isEmpty();
        EventEnvelope event = taken.events().get(0);
        assertThat(event.id()).startsWith("card_k1_");
        assertThat(new String(event.data(), StandardCharsets.UTF_8))
                .doesNotContain("4111")
                .contains("\"device\":\"" + event.id());
        assertThat(taken.tokenisedCount()).isGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldNameOrRefuseUnknownFieldsAsByHttp() {
        SentRecord record = binary("{\"device\":\"d1\",\"devise\":\"d2\"}");
        assertThat(read(record, LOGIN).warnings()).hasSize(1);
        assertThat(reader("{unknown-fields: refuse}")
                        .read(record, LOGIN)
                        .orElseThrow()
                        .problems())
                .extracting(EventProblem::code)
                .containsExactly(EventProblem.UNKNOWN_FIELD);
    }
}
