package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that can never be scored: refused with a reason, one by one, while the others go on. */
class BadInputTest {
    private static final String POLICY = """
            policy: test
            version: 1
            currency: EUR
            events:
              tx:
                account: card_holder
                fields: {amount: money, quantity: long, ratio: double, ok: bool, name: string, seen: timestamp}
            """;

    private static final TestRecord GOOD = TestRecord.event("tx", "good", T0, "{\"amount\": 1}");

    private static TestRecord data(String json) {
        return TestRecord.event("tx", "bad", T0, json);
    }

    private static void assertRefused(TestRecord record, Reason reason, String detail) {
        Outputs outputs =
                PartitionScorerTester.withPolicy(POLICY).add(record).add(GOOD).run();
        assertThat(outputs.deadLetters())
                .as(() -> new String(record.value() == null ? new byte[0] : record.value(), StandardCharsets.UTF_8))
                .containsExactly(new Outputs.Refusal(1, reason, detail));
        assertThat(outputs.scored()).extracting("eventId").containsExactly("good");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"amount\":",
                "{",
                "nonsense",
                "{\"amount\" 1}",
                "{\"amount\": 1,}",
                "{'amount': 1}",
                "{\"amount\": 1} x",
                "{\"amount\": 1}{}",
                "{\"amount\": 01}",
                "{\"amount\": 1, \"amount\": 2}",
                "{\"a\": \"\t\"}",
                "{\"name\": \"\\x\"}",
                "{\"other\": [1, }"
            })
    void shouldRefuseBrokenJson(String json) {
        Outputs outputs = PartitionScorerTester.withPolicy(POLICY)
                .add(data(json))
                .add(GOOD)
                .run();
        assertThat(outputs.deadLetters()).extracting(Outputs.Refusal::reason).containsExactly(Reason.MALFORMED_JSON);
        assertThat(outputs.scored()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "1", "\"text\"", "null", "true"})
    void shouldRefuseJsonThatIsNoObject(String json) {
        assertRefused(data(json), Reason.MALFORMED_JSON, "expected a JSON object as data");
    }

    @Test
    void shouldRefuseBytesThatAreNoText() {
        for (byte[] bytes : new byte[][] {{(byte) 0xFF, (byte) 0xFF}, {'{', '"', (byte) 0xC3, '"', ':', '1', '}'}}) {
            assertRefused(data("").withValue(bytes), Reason.MALFORMED_JSON, "data is not valid JSON");
        }
        assertRefused(data(""), Reason.MALFORMED_JSON, "expected a JSON object as data, found nothing");
        assertRefused(data("").withValue(null), Reason.MALFORMED_JSON, "expected a JSON object as data, found nothing");
    }

    @Test
    void shouldRefuseDeeplyNestedData() {
        assertRefused(data("{\"x\": " + "[".repeat(5_000)), Reason.MALFORMED_JSON, "data is not valid JSON");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NaN",
                "\"NaN\"",
                "Infinity",
                "-Infinity",
                "\"Infinity\"",
                "\"\"",
                "\" 1\"",
                "\"1,00\"",
                "\"abc\"",
                "true",
                "\"0x10\""
            })
    void shouldRefuseAmountsThatAreNoNumber(String amount) {
        assertRefused(
                data("{\"amount\": " + amount + "}"),
                Reason.BAD_AMOUNT,
                "amount: expected a decimal amount, found something else");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e400",
                "-1e400",
                "1e99999",
                "1e-9",
                "0.001",
                "1.234",
                "99999999999999999",
                "92233720368547758.08",
                "123456789012345678901234567890"
            })
    void shouldRefuseAmountsThatDoNotFitTheCurrency(String amount) {
        assertRefused(
                data("{\"amount\": " + amount + "}"),
                Reason.BAD_AMOUNT,
                "amount: expected an amount with at most 2 decimals in 64 bits of minor units, as EUR has them");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "quantity|1.5|quantity: expected long, found something else, or more than 64 bits",
                "quantity|\"x\"|quantity: expected long, found something else, or more than 64 bits",
                "quantity|9223372036854775808|quantity: expected long, found something else, or more than 64 bits",
                "quantity|NaN|quantity: expected long, found something else, or more than 64 bits",
                "quantity|[1]|quantity: expected long, found a structure",
                "ratio|NaN|ratio: expected double, found NaN",
                "ratio|1e400|ratio: expected double, found Infinity",
                "ratio|\"x\"|ratio: expected double, found something else",
                "ratio|\"1d\"|ratio: expected double, found something else",
                "ratio|\" 1\"|ratio: expected double, found something else",
                "ratio|\"0x1p3\"|ratio: expected double, found something else",
                "ratio|\"1e400\"|ratio: expected double, found Infinity",
                "ratio|true|ratio: expected double, found something else",
                "ratio|{}|ratio: expected double, found a structure",
                "ok|1|ok: expected bool, found something else",
                "ok|\"yes\"|ok: expected bool, found something else",
                "seen|\"yesterday\"|seen: expected timestamp, found something else (RFC 3339, or microseconds since 1970)",
                "seen|1.5|seen: expected timestamp, found something else (RFC 3339, or microseconds since 1970)",
                "seen|9223372036854775807|seen: expected timestamp, found microseconds outside the years 0001 to 9999",
                "name|[\"a\"]|name: expected string, found a structure",
            })
    void shouldRefuseFieldsOfAnotherType(String field, String value, String detail) {
        assertRefused(data("{\"" + field + "\": " + value + "}"), Reason.BAD_FIELD, detail);
    }

    @Test
    void shouldRefuseTextsThatAreTooLong() {
        assertRefused(
                data("{\"name\": \"" + "x".repeat(8_193) + "\"}"),
                Reason.TOO_LARGE,
                "name: expected at most 8192 characters, found 8193");
    }

    @Test
    void shouldSkipWhatThePolicyDoesNotDeclare() {
        Outputs outputs = PartitionScorerTester.withPolicy(POLICY)
                .add(data("{\"other\": {\"deep\": [1, NaN, null]}, \"amount\": null, \"\": 1, \"name\": \"n\"}"))
                .run();
        assertThat(outputs.scored("bad").fields().toString()).isEqualTo("{name=n}");
    }

    @Test
    void shouldRefuseIncompleteEnvelopes() {
        String missingId = "ce_id and ce_source: both are needed, one is missing";
        assertRefused(GOOD.withHeader(EventEnvelope.ID_HEADER, null), Reason.MISSING_ID, missingId);
        assertRefused(GOOD.withHeader(EventEnvelope.ID_HEADER, ""), Reason.MISSING_ID, missingId);
        assertRefused(GOOD.withHeader(EventEnvelope.SOURCE_HEADER, null), Reason.MISSING_ID, missingId);
        assertRefused(GOOD.withHeader(EventEnvelope.TYPE_HEADER, null), Reason.MALFORMED_ENVELOPE, "ce_type: missing");
        assertRefused(GOOD.withKey(null), Reason.MISSING_ACCOUNT, "ce_subject: missing, and the record has no key");
        assertRefused(GOOD.withKey(""), Reason.MISSING_ACCOUNT, "ce_subject: missing, and the record has no key");
        assertRefused(GOOD.withHeader(EventEnvelope.TIME_HEADER, null), Reason.MISSING_TIME, "ce_time: missing");
        assertRefused(
                GOOD.withHeader(EventEnvelope.TYPE_HEADER, "unheard-of"),
                Reason.UNKNOWN_EVENT_TYPE,
                "ce_type: policy test declares no such type");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yesterday",
                "2026-03-01",
                "2026-03-01T00:00:00",
                "2026-02-30T00:00:00Z",
                "2026-03-01T24:30:00Z",
                "0000-12-31T00:00:00Z",
                "+10000-01-01T00:00:00Z",
                "+999999999-12-31T23:59:59Z",
                "-999999999-01-01T00:00:00Z",
                "1772323200000",
                "2026-03-01T00:00:60Z"
            })
    void shouldRefuseTimesThatAreNone(String time) {
        assertRefused(
                GOOD.withHeader(EventEnvelope.TIME_HEADER, time),
                Reason.MISSING_TIME,
                "ce_time: expected an RFC 3339 time, found something else");
    }

    @Test
    void shouldTakeTheSubjectBeforeTheKey() {
        Outputs outputs = PartitionScorerTester.withPolicy(POLICY)
                .add(GOOD.withHeader(EventEnvelope.SUBJECT_HEADER, "subject"))
                .run();
        assertThat(outputs.scored("good").account()).isEqualTo("subject");
    }

    @Test
    void shouldRefuseDataOfAnotherAccount() {
        assertRefused(
                data("{\"card_holder\": \"someone-else\"}"),
                Reason.BAD_FIELD,
                "card_holder: differs from the event's subject");
        assertThat(PartitionScorerTester.withPolicy(POLICY)
                        .add(data("{\"card_holder\": 17}").withKey("17"))
                        .add(data("{\"card_holder\": null}"))
                        .run()
                        .scored())
                .hasSize(2);
    }

    @Test
    void shouldRefuseIncompleteLabels() {
        TestRecord label = TestRecord.label("good", "fraud", true);
        String detail = "expected event_source, event_id and label as texts, value as true or false";
        for (String json : List.of(
                "{}",
                "{\"event_source\": \"/test\", \"event_id\": \"good\", \"label\": \"fraud\"}",
                "{\"event_source\": \"/test\", \"event_id\": \"good\", \"label\": \"fraud\", \"value\": \"true\"}",
                "{\"event_source\": \"/test\", \"label\": \"fraud\", \"value\": true}")) {
            assertRefused(label.withValue(json.getBytes(StandardCharsets.UTF_8)), Reason.BAD_FIELD, detail);
        }
        assertRefused(label.withValue(null), Reason.MALFORMED_JSON, "expected a JSON object as data");
        assertRefused(
                label.withValue("{".getBytes(StandardCharsets.UTF_8)), Reason.MALFORMED_JSON, "data is not valid JSON");
        assertRefused(label.withKey(null), Reason.MISSING_ACCOUNT, "ce_subject: missing, and the record has no key");
    }

    @Test
    void shouldRefuseTicksWithoutATime() {
        assertRefused(
                TestRecord.tick(T0).withHeader(EventEnvelope.TIME_HEADER, null),
                Reason.MISSING_TIME,
                "ce_time: missing");
    }

    /** Half a surrogate pair is no character; it would not survive the store. */
    @Test
    void shouldReplaceHalfSurrogatePairs() {
        Outputs outputs = PartitionScorerTester.withPolicy(
                        policy("features: {before: {last: tx.merchant, over: 1h, prior: true}}"))
                .add(TestRecord.event("tx", "a", T0, "{\"merchant\": \"x\\ud83dy\\ude00\\ud83d\\ude00\"}"))
                .add(TestRecord.event("tx", "b", T0, "{}"))
                .run();
        assertThat(outputs.scored("a").fields()).containsEntry("merchant", "x\uFFFDy\uFFFD\ud83d\ude00");
        assertThat(outputs.feature("b", "before")).isEqualTo("x\uFFFDy\uFFFD\ud83d\ude00");
    }

    /** Whatever the bytes, the record ends somewhere and nothing is thrown. */
    @Test
    void shouldSurviveDamagedRecords() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        String json =
                "{\"amount\": 12.50, \"quantity\": -3, \"ratio\": 1.5e3, \"ok\": true, \"name\": \"\\u00e9 x\", \"seen\": \"2026-03-01T00:00:00Z\"}";
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(POLICY);
        for (int i = 0; i < 3_000; i++) {
            TestRecord record = TestRecord.event("tx", "e" + i, T0, "").withValue(damaged(random, json));
            String time = new String(damaged(random, "2026-03-01T00:00:00.123Z"), StandardCharsets.ISO_8859_1);
            tester.add(random.nextBoolean() ? record : record.withHeader(EventEnvelope.TIME_HEADER, time));
        }
        assertThat(tester.restoreEvery(1_000).run().deadLetters())
                .as("seed %d", seed)
                .isNotEmpty();
    }

    private static byte[] damaged(Random random, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = random.nextBoolean()
                    ? (byte) random.nextInt(256)
                    : (byte) "{}[]\":,.0129eE+-\\TZNaIty".charAt(random.nextInt(23));
        }
        return random.nextInt(4) > 0 ? bytes : java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    }
}
