package dev.vigil.dashboard.intake;

import static dev.vigil.dashboard.intake.RecordReaderTest.bytes;
import static dev.vigil.dashboard.intake.RecordReaderTest.record;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.Json;
import dev.vigil.event.card.CardNumbers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RefusalsTest {
    private static final DeclaredTypes TYPES = FakePolicies.of("login: device ip\nplain: id time account type");
    private static final String CARD = "4111111111111111";
    private static final String TOKENISE = "{card-numbers: {mode: tokenise, keys: [{id: k1, secret:"
            + " 'MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='}]}}";

    private static Refusal refuse(String config, SentRecord record) {
        return refuse(config, record, RegistryValues.none());
    }

    private static Refusal refuse(String config, SentRecord record, RegistryValues registry) {
        IntakeConfig intake = FakePolicies.config(config);
        RecordReader reader = new RecordReader(intake, registry, () -> 1_796_028_924_250L);
        Submission refused = reader.read(record, TYPES).orElseThrow();
        assertThat(refused.problems()).isNotEmpty();
        return new Refusals(intake, reader).of(record, refused, TYPES);
    }

    private static String value(Refusal refusal) {
        return new String(refusal.record().value(), StandardCharsets.UTF_8);
    }

    private static String plain(String id, String device) {
        return "{\"id\":" + id + ",\"time\":\"2026-11-30T06:55:24Z\",\"account\":\"a\",\"type\":\"login\",\"device\":"
                + device + "}";
    }

    @Test
    void shouldKeepTheVeryBytesAndLeaveOutHeadersThatOnlyVigilWrites() {
        byte[] value = {(byte) 0xff, 0, 1, (byte) 0xfe};
        SentRecord sent = new SentRecord(
                bytes("k"),
                value,
                List.of(
                        new SentRecord.Header("mine", new byte[] {0, 1}),
                        new SentRecord.Header("vigil-stage", bytes("scoring-engine")),
                        new SentRecord.Header("empty", null)));
        Refusal refusal = refuse("{}", sent);
        assertThat(refusal.record().value()).isEqualTo(value);
        assertThat(refusal.record().key()).isEqualTo(bytes("k"));
        assertThat(refusal.record().headers())
                .extracting(SentRecord.Header::name)
                .containsExactly("mine", "empty");
        assertThat(refusal.masked()).isFalse();
        assertThat(refusal.letter().stage()).isEqualTo("intake");
        assertThat(refusal.letter().position()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "missing|id|MISSING_ID",
                "missing|subject|MISSING_ACCOUNT",
                "missing|time|MISSING_TIME",
                "malformed|time|MISSING_TIME",
                "missing|type|MALFORMED_ENVELOPE",
                "malformed|source|MALFORMED_ENVELOPE",
                "malformed|id|MALFORMED_ENVELOPE",
                "missing|data|MALFORMED_JSON",
                "malformed||MALFORMED_JSON",
                "missing|/data/label|BAD_FIELD",
                "reserved|type|UNKNOWN_CONTROL",
                "card_number|/data/x|CARD_NUMBER",
                "unknown_field|/data/x|UNKNOWN_FIELD",
                "unknown_schema|data|UNKNOWN_SCHEMA",
                "too_large|data|TOO_LARGE",
                "unknown_event_type|type|UNKNOWN_EVENT_TYPE",
                "bad_amount|/data/amount|BAD_AMOUNT",
                "future_event_time|time|FUTURE_EVENT_TIME"
            })
    void shouldNameTheReasonAsTheEngineWould(String code, String field, Reason reason) {
        assertThat(Refusals.reason(new EventProblem(null, field, code, "d"))).isEqualTo(reason);
    }

    @Test
    void shouldPutStarsInPlaceOfACardNumberAndKeepAnObjectAnObject() throws Exception {
        Refusal refusal = refuse("{}", record(CARD, plain("\"4111 1111 1111 1111\"", CARD), "note", "card " + CARD));
        assertThat(refusal.letter().reason()).isEqualTo(Reason.CARD_NUMBER);
        assertThat(refusal.masked()).isTrue();
        JsonNode kept = Json.mapper().readTree(refusal.record().value());
        assertThat(kept.path("id").asText()).isEqualTo("4111 11** **** 1111");
        assertThat(kept.path("device").asText()).isEqualTo("411111******1111");
        assertThat(new String(refusal.record().key(), StandardCharsets.UTF_8)).isEqualTo("411111******1111");
        assertThat(refusal.record().header("note")).isEqualTo("card 411111******1111");
        assertThat(refusal.letter().detail()).doesNotContain(CARD).contains("411111******1111");
    }

    @Test
    void shouldMaskWhatIsNoJsonByteForByte() {
        Refusal cut = refuse("{}", record("k", "{\"id\":\"é\",\"device\":\"" + CARD));
        assertThat(value(cut)).isEqualTo("{\"id\":\"é\",\"device\":\"411111******1111");
        assertThat(cut.masked()).isTrue();
        byte[] binary = ("\u0001" + CARD + "\u0002").getBytes(StandardCharsets.ISO_8859_1);
        binary[0] = (byte) 0xff;
        Refusal refusal = refuse("{}", new SentRecord(null, binary, List.of()));
        assertThat(new String(refusal.record().value(), StandardCharsets.ISO_8859_1))
                .hasSize(binary.length)
                .doesNotContain(CARD)
                .contains("411111******1111");
    }

    @Test
    void shouldMaskNumbersThatAreWrittenInEscapesAlsoInWhatIsNoJson() throws Exception {
        String escaped = "\"\\u003411111111111\\u0031111\"";
        Refusal object = refuse("{}", record("k", plain(escaped, "1")));
        assertThat(Json.mapper().readTree(object.record().value()).path("id").asText())
                .isEqualTo("411111******1111");
        Refusal batch = refuse(
                "{}",
                record(
                        "k",
                        "[{\"specversion\":\"1.0\",\"id\":" + escaped + "}]",
                        "content-type",
                        "application/cloudevents-batch+json"));
        assertThat(batch.letter().reason()).isEqualTo(Reason.CARD_NUMBER);
        assertThat(value(batch)).contains("\"id\":\"\\u003411111******\\u0031111\"");
        assertThat(batch.masked()).isTrue();
        Refusal cutOff = refuse("{}", record("k", "{\"device\":tru,\"id\":" + escaped));
        assertThat(cutOff.letter().reason()).isEqualTo(Reason.MALFORMED_JSON);
        assertThat(value(cutOff)).isEqualTo("{\"device\":tru,\"id\":\"\\u003411111******\\u0031111\"");
        assertThat(cutOff.masked()).isTrue();
    }

    @Test
    void shouldPutTokensInPlaceWhereTheDeploymentHasThemSoThatTheRecordCanBePutBack() throws Exception {
        Refusal refusal = refuse(TOKENISE, record("k", plain("\"e1\"", "7").replace("}", ",\"ip\":\"" + CARD + "\"}")));
        assertThat(refusal.letter().reason()).isEqualTo(Reason.BAD_FIELD);
        assertThat(refusal.masked()).isFalse();
        assertThat(Json.mapper().readTree(refusal.record().value()).path("ip").asText())
                .startsWith("card_k1_");
    }

    @Test
    void shouldKeepTheBytesOfANumberWhoseExponentNothingCanReckonWith() {
        for (String config : List.of("{}", TOKENISE)) {
            for (String number : List.of("1e2147483647", "12e2147483646")) {
                SentRecord sent = record("k", plain("\"e1\"", number));
                Refusal refusal = refuse(config, sent);
                assertThat(refusal.letter().reason()).isEqualTo(Reason.BAD_FIELD);
                assertThat(refusal.letter().detail())
                        .startsWith("/data/device: ")
                        .endsWith("found " + number);
                assertThat(refusal.record().value()).isEqualTo(sent.value());
                assertThat(refusal.masked()).isFalse();
            }
        }
    }

    @Test
    void shouldLeaveOutABinaryValueWhoseNumbersNoTokenCanReplace() {
        SentRecord sent = new SentRecord(null, new byte[] {0, 0, 0, 0, 7, 1, 2, 3}, List.of());
        Refusal refusal = refuse(
                TOKENISE, sent, value -> bytes(plain("\"e1\"", "true").replace("}", ",\"ip\":\"" + CARD + "\"}")));
        assertThat(refusal.letter().reason()).isEqualTo(Reason.BAD_FIELD);
        assertThat(refusal.record().value()).isNull();
        assertThat(refusal.masked()).isTrue();
        Refusal without = refuse(TOKENISE, sent, value -> bytes(plain("\"e1\"", "true")));
        assertThat(without.record().value()).isEqualTo(sent.value());
        assertThat(without.masked()).isFalse();
    }

    /** Field case B01: a refusal that fails would hold up its partition for good. */
    @Test
    void shouldKeepWhateverCannotBeRead() {
        Random random = new Random(5);
        byte[] good = bytes(plain("\"" + CARD + "\"", CARD));
        Submission refused =
                new Submission(List.of(), List.of(new EventProblem(null, null, "malformed", "d")), List.of(), 1, 0);
        for (String config : List.of("{}", TOKENISE)) {
            IntakeConfig intake = FakePolicies.config(config);
            Refusals refusals = new Refusals(intake, new RecordReader(intake, RegistryValues.none(), () -> 0));
            for (int round = 0; round < 20_000; round++) {
                byte[] value = round % 2 == 0 ? changed(good, random) : noise(random);
                SentRecord sent = new SentRecord(value, value, List.of(new SentRecord.Header("h", value)));
                SentRecord kept = refusals.of(sent, refused, TYPES).record();
                for (byte[] bytes : List.of(kept.value(), kept.key())) {
                    assertThat(CardNumbers.isIn(new String(bytes, StandardCharsets.UTF_8)))
                            .as("seed 5, %s, round %s", config, round)
                            .isFalse();
                }
            }
        }
    }

    private static byte[] changed(byte[] good, Random random) {
        byte[] value = good.clone();
        for (int changes = random.nextInt(4); changes >= 0; changes--) {
            value[random.nextInt(value.length)] = (byte) random.nextInt();
        }
        return value;
    }

    private static byte[] noise(Random random) {
        byte[] value = new byte[1 + random.nextInt(40)];
        random.nextBytes(value);
        if (random.nextBoolean()) {
            value[0] = 0;
        }
        return value;
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16BE", "UTF-16LE", "UTF-16", "UTF-32BE", "UTF-32LE"})
    void shouldKeepJsonInOtherEncodingsButForCardNumbers(String encoding) {
        Charset charset = Charset.forName(encoding);
        byte[] marked = "\uFEFF{\"id\":\"e\u20ac\",\"n\":1234567890123}".getBytes(charset);
        for (String config : List.of("{}", TOKENISE)) {
            for (byte[] value : List.of(plain("\"e\u20ac1\"", "7").getBytes(charset), marked)) {
                Refusal refusal = refuse(config, new SentRecord(value, value, List.of()));
                assertThat(refusal.record().value()).isEqualTo(value);
                assertThat(refusal.record().key()).isEqualTo(value);
                assertThat(refusal.masked()).isFalse();
            }
            byte[] withCard = plain("\"" + CARD + "\u20ac\"", CARD).getBytes(charset);
            SentRecord sent = new SentRecord(withCard, withCard, List.of(new SentRecord.Header("h", withCard)));
            Refusal refusal = refuse(config, sent);
            String stars = plain("\"411111******1111\u20ac\"", "411111******1111");
            assertThat(new String(refusal.record().value(), charset)).isEqualTo(stars);
            assertThat(new String(refusal.record().key(), charset)).isEqualTo(stars);
            assertThat(new String(refusal.record().headers().get(0).value(), charset))
                    .isEqualTo(stars);
            assertThat(refusal.masked()).isTrue();
        }
    }

    @Test
    void shouldKeepOfARecordThatCouldNotBeSearchedOnlyWhatCanHoldNoCardNumber() {
        Submission refused =
                new Submission(List.of(), List.of(new EventProblem(null, null, "malformed", "d")), List.of(), 1, 0);
        SentRecord sent = record("key-12", "{\"id\":\"123456789012\"}", "h", "\\u0034\\u0031\\u0031\\u0031");
        Refusal kept = Refusals.ofUnsearched(sent, refused);
        assertThat(kept.record().key()).isEqualTo(sent.key());
        assertThat(kept.record().value()).isEqualTo(sent.value());
        assertThat(kept.record().headers().get(0).value()).as("escapes").isNull();
        assertThat(kept.masked()).isFalse();
        for (byte[] value : List.of(bytes(CARD), new byte[] {0, 0, 0, 0, 7, 2})) {
            Refusal without = Refusals.ofUnsearched(new SentRecord(null, value, List.of()), refused);
            assertThat(without.record().value()).isNull();
            assertThat(without.masked()).isTrue();
        }
    }

    @Test
    void shouldBoundTheDetail() {
        List<EventProblem> problems = java.util.stream.IntStream.range(0, 50)
                .mapToObj(i -> new EventProblem(i, "/data/f" + i, "bad_field", "x".repeat(400)))
                .toList();
        IntakeConfig config = FakePolicies.config("{}");
        Refusals refusals = new Refusals(config, new RecordReader(config, RegistryValues.none(), () -> 0));
        assertThat(refusals.of(record("k", "{}"), new Submission(List.of(), problems, List.of(), 50, 0), TYPES)
                        .letter()
                        .detail())
                .startsWith("event 0: /data/f0: x")
                .hasSizeLessThan(1_100);
    }
}
