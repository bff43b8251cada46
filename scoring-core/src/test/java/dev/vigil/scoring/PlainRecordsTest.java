package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigException;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventTimes;
import dev.vigil.event.ScoredEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records without CloudEvents headers, read by the policy's {@code plain} section. */
class PlainRecordsTest {
    private static final String FLAT = """
            policy: flat
            version: 1
            currency: EUR
            events:
              payment: {account: accountId, fields: {amount: money, merchantId: string}}
              login: {fields: {ok: bool}}
            plain: {source: /payments, type: payment, id: id, time: {path: at, unit: ms}}
            features: {n: {count: payment, over: 1h}, total: {sum: payment.amount, over: 1h}}
            """;
    private static final String NESTED = """
            policy: nested
            version: 1
            currency: EUR
            events:
              payment: {fields: {amount: money}}
              login: {fields: {ok: bool}}
            plain:
              source: /bus
              type: {path: meta.kind}
              id: meta.id
              time: meta.at
              account: meta.owner.account
              data: body
            features: {n: {count: payment, over: 1h}}
            """;

    private static TestRecord plain(String json) {
        return new TestRecord(T0 / 1_000 + 10, TestRecord.ACCOUNT, Map.of(), json.getBytes(StandardCharsets.UTF_8));
    }

    private static TestRecord flat(String id, String amount) {
        return plain("{\"id\": \"" + id + "\", \"merchantId\": \"M\", \"amount\": \"" + amount + "\", \"at\": "
                + T0 / 1_000 + ", \"unknown\": {\"id\": \"x\"}}");
    }

    @Test
    void shouldScoreRecordsAsTheirProducerWroteThem() {
        Outputs outputs = PartitionScorerTester.withPolicy(FLAT)
                .add(flat("p1", "1.50"))
                .add(flat("p2", "2.25"))
                .add(flat("p1", "1.50"))
                .run();
        assertThat(outputs.scored()).extracting(ScoredEvent::eventId).containsExactly("p1", "p2");
        ScoredEvent second = outputs.scored("p2");
        assertThat(List.of(second.source(), second.type(), second.account(), second.eventTimeUs()))
                .containsExactly("/payments", "payment", TestRecord.ACCOUNT, T0);
        assertThat(second.features()).hasToString("{n=2, total=3.75}");
        assertThat(second.fields()).hasToString("{amount=2.25, merchantId=M}");
    }

    @Test
    void shouldFollowPathsToEnvelopeAndData() {
        Outputs outputs = PartitionScorerTester.withPolicy(NESTED)
                .add(plain("{\"body\": {\"amount\": 7, \"meta\": {}}, \"meta\": {\"kind\": \"payment\", \"owner\":"
                        + " {\"account\": \"acc-9\"}, \"at\": \"2026-03-01T01:00:00+01:00\", \"id\": 17}}"))
                .run();
        ScoredEvent only = outputs.scored().get(0);
        assertThat(List.of(only.eventId(), only.type(), only.account(), only.eventTimeUs()))
                .containsExactly("17", "payment", "acc-9", T0);
        assertThat(only.fields()).hasToString("{amount=7.00}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"at\": 1772323200000}|MISSING_ID",
                "{\"id\": null, \"at\": 1772323200000}|MISSING_ID",
                "{\"id\": \"a\"}|MISSING_TIME",
                "{\"id\": \"a\", \"at\": \"soon\"}|MISSING_TIME",
                "{\"id\": \"a\", \"at\": 1e30}|MISSING_TIME",
                "{\"id\": \"a\", \"at\": [1]}|MISSING_TIME",
                "{\"id\": \"a\", \"at\": 1772323200000, \"amount\": \"x\"}|BAD_AMOUNT",
                "{\"id\": \"a\", \"at\": 1772323200000, \"accountId\": \"other\"}|BAD_FIELD",
                "[]|MALFORMED_JSON",
                "{\"id\": \"a\", |MALFORMED_JSON",
                "{\"id\": \"a\", \"at\": 1772323200000} {}|MALFORMED_JSON",
                "''|MALFORMED_JSON"
            })
    void shouldRefuseWhatLacksAnEnvelopeAndGoOn(String json, Reason reason) {
        Outputs outputs = PartitionScorerTester.withPolicy(FLAT)
                .add(plain(json))
                .add(flat("good", "1"))
                .run();
        assertThat(outputs.deadLetters()).extracting(Outputs.Refusal::reason).containsExactly(reason);
        assertThat(outputs.scored()).extracting(ScoredEvent::eventId).containsExactly("good");
    }

    @Test
    void shouldRefuseATombstone() {
        Outputs outputs = PartitionScorerTester.withPolicy(FLAT)
                .add(flat("p", "1").withValue(null))
                .run();
        assertThat(outputs.deadLetters()).extracting(Outputs.Refusal::reason).containsExactly(Reason.MALFORMED_JSON);
    }

    @Test
    void shouldNotTakeAPlainRecordForAControlRecord() {
        Outputs outputs = PartitionScorerTester.withPolicy(NESTED)
                .add(plain("{\"meta\": {\"kind\": \"vigil.policy\", \"id\": 1}}"))
                .run();
        assertThat(outputs.deadLetters()).extracting(Outputs.Refusal::reason).containsExactly(Reason.UNKNOWN_CONTROL);
    }

    @ParameterizedTest
    @CsvSource({
        "s, 1772323200, 2026-03-01T00:00:00Z",
        "s, 1772323200.25, 2026-03-01T00:00:00.25Z",
        "ms, -1, 1969-12-31T23:59:59.999Z",
        "us, 1772323200000001, 2026-03-01T00:00:00.000001Z",
        "rfc3339, 2026-03-01T00:00:00Z, 2026-03-01T00:00:00Z"
    })
    void shouldReadTimesInTheirUnit(String unit, String time, String expected) {
        String policy = FLAT.replace("unit: ms", "unit: " + unit);
        Outputs outputs = PartitionScorerTester.withPolicy(policy)
                .add(plain("{\"id\": \"a\", \"at\": \"" + time + "\"}"))
                .run();
        assertThat(outputs.scored().get(0).eventTimeUs()).isEqualTo(EventTimes.parse(expected));
    }

    @Test
    void shouldKeepRefusingThemWhereThePolicySaysNothingOfThem() {
        String policy = FLAT.replaceAll("plain:.*\\R", "");
        Outputs outputs =
                PartitionScorerTester.withPolicy(policy).add(flat("a", "1")).run();
        assertThat(outputs.deadLetters())
                .extracting(Outputs.Refusal::reason)
                .containsExactly(Reason.MALFORMED_ENVELOPE);
    }

    @Test
    void shouldBeUnderTheFirstPolicyFromTheLogsStartAndStayUnderItAfterARestart() {
        CopyableStateStore store = new CopyableStateStore();
        Outputs outputs = new Outputs();
        for (int offset = 0; offset < 2; offset++) {
            PartitionScorer scorer = new PartitionScorer("t", 0, store, 10, Policies.check("p.yaml", FLAT));
            LogRecord record = new LogRecord();
            flat("p" + offset, "1").fill(record, offset);
            scorer.process(record, outputs);
            scorer.write(scorer.takeStep());
        }
        assertThat(outputs.all())
                .extracting(Outputs.Output::kind)
                .containsExactly(Outputs.Kind.SCHEMA, Outputs.Kind.SCORED, Outputs.Kind.SCORED);
        assertThat(outputs.scored("p1").features()).containsEntry("n", 2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "type: payment|type: paymnt|plain.type: unknown event type 'paymnt', did you mean 'payment'?",
                "unit: ms|unit: min|plain.time.unit: expected rfc3339, s, ms or us, found 'min'",
                "id: id|id: a..b|plain.id: expected a path such as payment.id, found 'a..b'",
                "source: /payments, ||plain: missing 'source'",
                "source: /payments|source: ''|plain.source: expected a source such as /payments, found an empty text",
                "source: /payments|source: \"/pay\\0\"|plain.source: expected a source without control characters",
                "source: /payments|source: \"/\\ud800\"|plain.source: expected a source without control characters",
                "id: id|id: at|plain.id: expected one thing at at, found two: time and id",
                "id: id|id: at.id|plain.id: expected a path that can be, found at.id within at, which is the time",
                "id: id|id: a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z.a.b.c.d.e.f.g|plain.id: expected a path of at most 32 member names, found 33"
            })
    void shouldSayWhatIsWrongWithTheSection(String found, String replacement, String complaint) {
        String text = replacement == null ? "" : replacement;
        assertThatThrownBy(() -> Policies.check(
                        "p.yaml",
                        FLAT.replace("plain: {" + found, "plain: {" + text).replace(", " + found, ", " + text)))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("p.yaml:")
                .hasMessageContaining(complaint);
    }
}
