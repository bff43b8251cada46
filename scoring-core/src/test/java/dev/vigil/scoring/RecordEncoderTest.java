package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.FieldType;
import dev.vigil.event.Json;
import dev.vigil.event.RuleHit;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RecordEncoderTest {
    private static final String NASTY = "\"\\\u0001\n</script>\u2028\u00e9\ud83d\ude00";
    private static final String POLICY = """
            policy: p-1
            version: 7
            currency: KWD
            events:
              tx: {fields: {amount: money, n: long, r: double, ok: bool, s: string, seen: timestamp, gone: string}}
            features:
              sum: {sum: tx.amount, over: 1h}
              share: {rate: tx.ok, over: 1h}
              last: {last: tx.s, over: 1h}
              newest: {max: tx.seen, over: 1h}
              absent: {avg: tx.n, over: 1h, prior: true}
            rules:
              - {id: R_1-b, when: "amount > 1.0 && last != '' && ok && seen == newest && !present(gone)", score: 90, reason: "\\u0001\\u2028 \\"x\\""}
              - {id: watched, when: "n < 0", score: 5, shadow: true}
            decisions: [{decline: 80}]
            alerts: {cooldown: 1m, group_by: s}
            """;
    private static final String DATA =
            "{\"amount\": 1.5, \"n\": -9223372036854775808, \"r\": 1e-7, \"ok\": true, \"s\": \"\\\"\\\\\\u0001\\n</script>\u2028\u00e9\ud83d\ude00\", \"seen\": \"2026-03-01T00:00:00.000001Z\", \"undeclared\": 1}";

    private static Outputs run() {
        return PartitionScorerTester.withPolicy(POLICY)
                .add(TestRecord.event("tx", NASTY, T0, DATA)
                        .withHeader(EventEnvelope.SOURCE_HEADER, NASTY)
                        .withAccount(NASTY))
                .run();
    }

    private static Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("amount", new BigDecimal("1.500"));
        fields.put("n", Long.MIN_VALUE);
        fields.put("r", new BigDecimal("1.0E-7"));
        fields.put("ok", true);
        fields.put("s", NASTY);
        fields.put("seen", T0 + 1);
        return fields;
    }

    private static RuleHit hit() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("amount", new BigDecimal("1.500"));
        values.put("last", NASTY);
        values.put("ok", true);
        values.put("seen", T0 + 1);
        values.put("newest", T0 + 1);
        return new RuleHit("R_1-b", 90, "\u0001\u2028 \"x\"", values);
    }

    @Test
    void shouldWriteEveryMemberOfAScoredEvent() {
        Map<String, Object> features = new LinkedHashMap<>();
        features.put("sum", new BigDecimal("1.500"));
        features.put("share", new BigDecimal("1.0"));
        features.put("last", NASTY);
        features.put("newest", T0 + 1);
        assertThat(run().scored())
                .containsExactly(new ScoredEvent(
                        NASTY,
                        NASTY,
                        "tx",
                        NASTY,
                        T0,
                        T0 / 1_000 + 1,
                        false,
                        0,
                        new SourcePosition(PartitionScorerTester.TOPIC_ID, PartitionScorerTester.PARTITION, 1),
                        "p-1",
                        7,
                        90,
                        Decision.DECLINE,
                        fields(),
                        features,
                        List.of(hit()),
                        List.of(new RuleHit("watched", 5, "watched", Map.of("n", Long.MIN_VALUE)))));
    }

    @Test
    void shouldWriteEveryMemberOfAnAlert() {
        Alert alert = run().alerts().get(0);
        assertThat(alert)
                .isEqualTo(new Alert(
                        alert.alertId(),
                        NASTY,
                        NASTY,
                        "tx",
                        NASTY,
                        T0,
                        T0 / 1_000 + 1,
                        new SourcePosition(PartitionScorerTester.TOPIC_ID, PartitionScorerTester.PARTITION, 1),
                        "p-1",
                        7,
                        "KWD",
                        90,
                        Decision.DECLINE,
                        NASTY,
                        60_000,
                        fields(),
                        List.of(hit())));
    }

    @Test
    void shouldWriteAsJsonWouldInOrderAndNames() {
        Outputs outputs = run();
        for (Outputs.Output output : outputs.all()) {
            Class<?> type = switch (output.kind()) {
                case SCORED -> ScoredEvent.class;
                case ALERT -> Alert.class;
                default -> null;
            };
            if (type != null) {
                byte[] bytes = output.text().getBytes(StandardCharsets.UTF_8);
                assertThat(paths(Json.decodeObject(bytes)))
                        .isEqualTo(paths(Json.decodeObject(Json.encode(Json.decode(bytes, type)))));
            }
        }
    }

    private static List<String> paths(Map<String, Object> object) {
        List<String> paths = new ArrayList<>();
        object.forEach((name, value) -> paths.add(value instanceof Map<?, ?> map ? name + map.keySet() : name));
        return paths;
    }

    @Test
    void shouldShowTheSameValuesInTheView() {
        PartitionScorer scorer = new PartitionScorer("t", 0, new CopyableStateStore(), 100);
        List<Object> seen = new ArrayList<>();
        Outputs outputs = new Outputs() {
            @Override
            public void scored(ScoredView event) {
                event.features()
                        .forEach(feature -> seen.add(feature.name() + "="
                                + event.feature(event.features().indexOf(feature))));
                seen.add(event.field("amount"));
                seen.add(event.field("gone"));
                seen.add(event.field("no such field"));
                seen.add(event.features().get(0).type());
            }
        };
        LogRecord record = new LogRecord();
        TestRecord.policy(POLICY).fill(record, 0);
        scorer.process(record, outputs);
        TestRecord.event("tx", "a", T0, DATA).fill(record, 1);
        scorer.process(record, outputs);
        assertThat(seen)
                .containsExactly(
                        "sum=1.500",
                        "share=1.0",
                        "last=" + NASTY,
                        "newest=" + (T0 + 1),
                        "absent=null",
                        new BigDecimal("1.500"),
                        null,
                        null,
                        FieldType.MONEY);
    }
}
