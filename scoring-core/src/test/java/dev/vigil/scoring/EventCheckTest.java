package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.scoring.EventCheck.Finding;
import dev.vigil.scoring.EventCheck.Findings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventCheckTest {
    private static final String POLICY = """
        policy: test
        version: 1
        currency: EUR
        time: {max_future_skew: 5m}
        events:
          tx:
            account: card_holder
            fields: {amount: money, quantity: long, ratio: double, ok: bool, name: string, seen: timestamp, lat: double}
          login: {fields: {ok: bool}}
        reference:
          profile: {fields: {limit: money, since: timestamp}}
        """;
    private static final long NOW_MS = T0 / 1_000;

    private final EventCheck check = check(POLICY);

    private static EventCheck check(String policy) {
        return EventCheck.activated(null, policy).orElseThrow();
    }

    private static EventEnvelope event(String type, long timeUs, String data) {
        return new EventEnvelope(
                "e1", "/test", type, timeUs, TestRecord.ACCOUNT, false, data.getBytes(StandardCharsets.UTF_8));
    }

    private Findings of(String data) {
        return check.check(event("tx", T0, data), NOW_MS);
    }

    @Test
    void shouldTellEverythingThatIsWrongWithAnEventAtOnce() {
        String data =
                "{\"quantity\": [1, {\"x\": 2}], \"amount\": 1.234, \"ok\": \"yes\", \"lat\": 91, \"color\": {\"a\":"
                        + " 1}, \"card_holder\": \"somebody\", \"currency\": \"USD\", \"seen\": \"yesterday\", \"ratio\":"
                        + " 2}";

        Findings findings = check.check(event("tx", T0 + 3_600_000_000L, data), NOW_MS);

        assertThat(findings.refused())
                .extracting(f -> f.reason().code() + " " + f.field() + ": " + f.expected() + " / " + f.found())
                .containsExactly(
                        "future_event_time time: at most 2026-03-01T00:05:00Z, which is now and max_future_skew"
                                + " / 2026-03-01T01:00:00Z",
                        "bad_field /data/quantity: an integer of at most 64 bits / a list",
                        "bad_amount /data/amount: an amount with at most 2 decimals in 64 bits of minor units, as EUR"
                                + " has them / 1.234",
                        "bad_field /data/ok: true or false / the text 'yes'",
                        "bad_field /data/lat: degrees from -90 to 90 / 91",
                        "bad_field /data/card_holder: the event's subject / the text 'somebody'",
                        "currency_mismatch /data/currency: EUR, the policy's / the text 'USD'",
                        "bad_field /data/seen: RFC 3339 with an offset, or microseconds since 1970-01-01T00:00:00Z, in"
                                + " the years 0001 to 9999 / the text 'yesterday'");
        assertThat(findings.undeclared()).containsExactly("color");
    }

    @Test
    void shouldLetGoodEventsPass() {
        Findings findings =
                of("{\"amount\": \"12.50\", \"name\": null, \"card_holder\": \"acc-1\", \"currency\": \"EUR\"}");
        assertThat(findings).isEqualTo(new Findings(List.of(), List.of()));
        assertThat(of("{}").refused()).isEmpty();
    }

    @Test
    void shouldTakeTheClockInPlaceOfTheIngestTime() {
        EventEnvelope event = event("login", T0 + 300_000_001L, "{}");
        assertThat(check.check(event, NOW_MS).refused())
                .extracting(Finding::reason)
                .containsExactly(Reason.FUTURE_EVENT_TIME);
        assertThat(check.check(event, NOW_MS + 1).refused()).isEmpty();
    }

    @Test
    void shouldNameTheNearestOfTheTypes() {
        Finding finding = check.check(event("logn", T0, "{}"), NOW_MS).refused().get(0);
        assertThat(finding.reason()).isEqualTo(Reason.UNKNOWN_EVENT_TYPE);
        assertThat(finding.field()).isEqualTo("type");
        assertThat(finding.expected())
                .isEqualTo("a type that policy test version 1 declares (tx, login, vigil.reference.profile)");
        assertThat(finding.found()).isEqualTo("'logn'; did you mean 'login'?");
    }

    @Test
    void shouldCheckReferenceRowsAndLetThemBeRemoved() {
        assertThat(check.check(event("vigil.reference.profile", T0, "{\"limit\": true, \"since\": 1}"), NOW_MS)
                        .refused())
                .extracting(Finding::field)
                .containsExactly("/data/limit");
        assertThat(check.check(event("vigil.reference.profile", T0, ""), NOW_MS).refused())
                .isEmpty();
        assertThat(check.check(event("vigil.reference.other", T0, "{}"), NOW_MS).refused())
                .extracting(Finding::reason)
                .containsExactly(Reason.UNKNOWN_CONTROL);
        assertThat(check.check(event(EventTypes.LABEL, T0, "{}"), NOW_MS).refused())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"[1]|a list", "{\"a\": {}}|an object", "true|true", "-1e400|-1e400", "\"a\\nb\"|the text 'a\\nb'"})
    void shouldSayWhatItFound(String value, String found) {
        Findings findings = of("{\"quantity\": " + value + ", \"ok\": true}");
        assertThat(findings.refused()).extracting(Finding::found).containsExactly(found);
    }

    @Test
    void shouldPointAtFieldsAsPointersDo() {
        EventCheck odd = check(POLICY.replace("account: card_holder", "account: \"a/b~c\""));
        assertThat(odd.check(event("tx", T0, "{\"a/b~c\": \"x\"}"), NOW_MS).refused())
                .extracting(Finding::field)
                .containsExactly("/data/a~1b~0c");
    }

    @Test
    void shouldNotComplainOfAnotherAccountWhereTheEventNamesNone() {
        EventEnvelope event = new EventEnvelope(
                "e1", "/test", "tx", T0, "", false, "{\"card_holder\": \"x\"}".getBytes(StandardCharsets.UTF_8));
        assertThat(check.check(event, NOW_MS).refused()).isEmpty();
    }

    @Test
    void shouldFollowActivationsAsTheEngineDoes() {
        assertThat(EventCheck.activated(null, "policy: [")).isEmpty();
        assertThat(EventCheck.activated(check, "policy: [")).contains(check);
        assertThat(EventCheck.activated(check, POLICY.replace("EUR", "JPY"))).contains(check);
        Optional<EventCheck> next = EventCheck.activated(check, POLICY.replace("version: 1", "version: 2"));
        assertThat(next).map(c -> c.policy().version()).contains(2);
    }

    /** Values that some field takes and another does not. */
    private static final List<String> VALUES = List.of(
            "1",
            "-7",
            "1.5",
            "1.234",
            "1e400",
            "1e2",
            "9223372036854775808",
            "true",
            "null",
            "\"true\"",
            "\"x\"",
            "\"12\"",
            "\"12.345\"",
            "\"NaN\"",
            "\"2026-03-01T00:00:00Z\"",
            "\"yesterday\"",
            "\"\"",
            "[]",
            "[1]",
            "{}",
            "{\"a\": [1]}",
            "90.0",
            "-181",
            "\"acc-1\"",
            "\"EUR\"",
            "\"" + "x".repeat(8_193) + "\"",
            "0",
            "-0",
            "\"\\ud800\"");

    private static final List<String> KEYS = List.of(
            "amount",
            "quantity",
            "ratio",
            "ok",
            "name",
            "seen",
            "lat",
            "card_holder",
            "currency",
            "other",
            "account_id");

    @Test
    void shouldRefuseExactlyWhatTheEngineRefuses() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int refusedCount = 0;
        for (int i = 0; i < 2_000; i++) {
            List<String> members = new ArrayList<>();
            for (String key : KEYS) {
                if (random.nextInt(4) == 0) {
                    members.add("\"" + key + "\": " + VALUES.get(random.nextInt(VALUES.size())));
                }
            }
            String data = "{" + String.join(", ", members) + "}";
            String type = List.of("tx", "tx", "tx", "login", "other").get(random.nextInt(5));
            long timeUs = T0 + random.nextInt(3) * 200_000_000L;
            boolean isRefused =
                    !check.check(event(type, timeUs, data), NOW_MS).refused().isEmpty();
            assertThat(isRefused)
                    .as("seed %d: %s %s at %d", seed, type, data, timeUs)
                    .isEqualTo(isDeadLettered(type, timeUs, data));
            refusedCount += isRefused ? 1 : 0;
        }
        assertThat(refusedCount).as("seed %d", seed).isBetween(200, 1_900);
    }

    private static boolean isDeadLettered(String type, long timeUs, String data) {
        PartitionScorer scorer = new PartitionScorer("topic", 0, new CopyableStateStore(), 1_000);
        Outputs outputs = new Outputs();
        LogRecord record = new LogRecord();
        TestRecord.policy(POLICY).fill(record, 0);
        scorer.process(record, outputs);
        TestRecord.event(type, "e1", timeUs, data).withIngestTimeMs(NOW_MS).fill(record, 1);
        scorer.process(record, outputs);
        return !outputs.deadLetters().isEmpty();
    }

    private static EventCheck.PlainEvent plain(String section, String record) {
        return check(POLICY + "plain:\n  source: our payments\n" + section.indent(2))
                .plain(record.getBytes(StandardCharsets.UTF_8))
                .orElseThrow();
    }

    private static final String NESTED = """
        type: {path: kind}
        id: payment.id
        time: {path: payment.at, unit: ms}
        account: payer.account
        data: payment
        """;

    @Test
    void shouldReadAPlainRecordAsThePolicySays() {
        EventCheck.PlainEvent event = plain(NESTED, """
            {"kind":"tx","payer":{"account":17},"payment":{"id":"p1","at":1700000000123,"amount":1.50}}""");
        assertThat(event.refused()).isEmpty();
        assertThat(event.id()).isEqualTo("p1");
        assertThat(event.source()).isEqualTo("our payments");
        assertThat(event.type()).isEqualTo("tx");
        assertThat(event.account()).isEqualTo("17");
        assertThat(event.accountIsKey()).isFalse();
        assertThat(event.timeUs()).isEqualTo(1_700_000_000_123_000L);
        assertThat(new String(event.data(), StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"p1\",\"at\":1700000000123,\"amount\":1.50}");
        assertThat(event.envelopeKeys()).isEmpty();
        assertThat(event.paths())
                .containsOnly(
                        entry("id", "payment.id"),
                        entry("time", "payment.at"),
                        entry("subject", "payer.account"),
                        entry("type", "kind"));
    }

    @Test
    void shouldSayThatATimeBeyondTheCalendarMayBeInASmallerUnit() {
        EventCheck.PlainEvent event = plain(NESTED, "{\"kind\":\"tx\",\"payment\":{\"id\":1,\"at\":1796028924250000}}");
        assertThat(event.refused())
                .extracting(Finding::expected)
                .containsExactly("time: outside the years 0001 to 9999 as ms since 1970; is it in a smaller unit?");
    }

    @Test
    void shouldReadAFlatPlainRecordAndSayWhichKeysAreNoFields() {
        String record = "{\"amount\":1,\"id\":\"p1\",\"at\":\"2026-03-01T00:00:00Z\"}";
        EventCheck.PlainEvent event = plain("type: tx\nid: id\ntime: at\n", record);
        assertThat(event.refused()).isEmpty();
        assertThat(event.type()).isEqualTo("tx");
        assertThat(event.accountIsKey()).isTrue();
        assertThat(event.account()).isNull();
        assertThat(event.timeUs()).isEqualTo(T0);
        assertThat(new String(event.data(), StandardCharsets.UTF_8)).isEqualTo(record);
        assertThat(event.envelopeKeys()).containsExactlyInAnyOrder("id", "at");
    }

    @Test
    void shouldTakeAnRfc3339TimeWhateverTheUnitAndRefuseWhatIsNone() {
        String record = "{\"kind\":\"tx\",\"payment\":{\"id\":1,\"at\":%s}}";
        assertThat(plain(NESTED, record.formatted("\"2026-03-01T01:00:00+01:00\""))
                        .timeUs())
                .isEqualTo(T0);
        for (String wrong : List.of("\"yesterday\"", "\"12:30\"", "1e300")) {
            EventCheck.PlainEvent event = plain(NESTED, record.formatted(wrong));
            assertThat(event.timeUs()).isNull();
            assertThat(event.refused()).extracting(Finding::reason).containsExactly(Reason.MISSING_TIME);
            assertThat(event.id()).as("the rest is told all the same").isEqualTo("1");
        }
    }

    @Test
    void shouldLeaveOutWhatAPlainRecordDoesNotHaveAndRefuseTypesOfVigilsOwn() {
        EventCheck.PlainEvent event = plain(NESTED, "{\"kind\":\"vigil.policy\",\"payment\":7}");
        assertThat(event.refused()).extracting(Finding::reason).containsExactly(Reason.UNKNOWN_CONTROL);
        assertThat(event.type()).isNull();
        assertThat(event.id()).isNull();
        assertThat(event.data()).isNull();
        assertThat(check.plain("{}".getBytes(StandardCharsets.UTF_8))).isEmpty();
    }
}
