package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.Decision;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Explanation;
import dev.vigil.event.Explanation.Contributor;
import dev.vigil.event.Explanation.Doubt;
import dev.vigil.event.Explanation.Feature;
import dev.vigil.event.Explanation.Rule;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.StateBatch;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainTest {
    private static final String RULES = """
            features:
              n: {count: tx, over: 1h}
              sum: {sum: tx.amount, over: 1h, where: "ok"}
              share: {expr: "amount / double(n)"}
            rules:
              - {id: many, when: "n > 2", score: 60, reason: "many payments"}
              - {id: own, when: "share > 1.0", score: 5, shadow: true}
            decisions: [{review: 50}]
            """;

    private final InMemoryStateStore store = new InMemoryStateStore();
    private final Outputs outputs = new Outputs();
    private PartitionScorer scorer = new PartitionScorer("topic-1", 3, store, 1_000);
    private long offset;

    private void process(TestRecord... records) {
        for (TestRecord next : records) {
            LogRecord record = new LogRecord();
            next.fill(record, offset++);
            scorer.process(record, outputs);
        }
    }

    private Explanation explain(String id) {
        return scorer.look(TestRecord.ACCOUNT, id, null).explain();
    }

    private static Feature feature(Explanation explanation, String name) {
        return explanation.features().stream()
                .filter(feature -> feature.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void refuses(Kind kind, String message, Runnable look) {
        assertThatThrownBy(look::run)
                .isInstanceOfSatisfying(
                        CannotExplainException.class, e -> assertThat(e.kind()).isEqualTo(kind))
                .hasMessageContaining(message);
    }

    @Test
    void shouldTellWindowsContributorsRulesAndDecisionAsOfTheEventsPlaceInTheLog() {
        process(
                TestRecord.policy(policy(RULES)),
                tx("a", 0, "{\"amount\": 1.5, \"ok\": true}"),
                tx("b", MINUTE, "{\"amount\": 2, \"ok\": false}"),
                tx("c", 2 * MINUTE, "{\"amount\": 4, \"ok\": true}"),
                tx("between", 90 * SECOND, "{\"amount\": 8, \"ok\": true}"),
                tx("after", 3 * MINUTE, "{\"amount\": 16, \"ok\": true}"));
        Explanation explanation = explain("c");
        assertThat(explanation.exact()).isTrue();
        assertThat(explanation.score()).isEqualTo(60);
        assertThat(explanation.decision()).isEqualTo(Decision.REVIEW);
        assertThat(explanation.position().toString()).isEqualTo("topic-1:3:3");
        assertThat(explanation.fields()).containsEntry("amount", new BigDecimal("4.00"));
        Feature sum = feature(explanation, "sum");
        assertThat(sum.value()).isEqualTo(new BigDecimal("5.50"));
        assertThat(sum.completeSinceUs()).isEqualTo(T0 + HOUR);
        assertThat(sum.window().fromUs()).isEqualTo(T0 + 2 * MINUTE - HOUR);
        assertThat(sum.window().toUs()).isEqualTo(T0 + 2 * MINUTE);
        assertThat(sum.window().events())
                .containsExactly(
                        new Contributor(TestRecord.SOURCE, "a", T0, 1, new BigDecimal("1.50")),
                        new Contributor(TestRecord.SOURCE, "c", T0 + 2 * MINUTE, 3, new BigDecimal("4.00")));
        assertThat(feature(explanation, "share").reads())
                .containsEntry("n", 3L)
                .containsEntry("amount", new BigDecimal("4.00"));
        assertThat(explanation.rules())
                .extracting(Rule::rule, Rule::hit, Rule::shadow)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("many", true, false),
                        org.assertj.core.groups.Tuple.tuple("own", true, true));
        assertThat(explanation.rules().get(0).values()).containsEntry("n", 3L);
        assertThat(explanation.later())
                .as("'between' came after it and lies within its windows, 'after' does not")
                .isEqualTo(new Explanation.Later(1, 60, Decision.REVIEW));
        assertThat(explain("b").later()).isNull();
        assertThat(feature(explain("between"), "n").value())
                .as("as of its own time")
                .isEqualTo(3L);
        assertThat(Json.decode(Json.encode(explanation), Explanation.class).features())
                .hasSize(3);
    }

    @Test
    void shouldListTheFirstAndTheLastOfManyEvents() {
        process(TestRecord.policy(policy(RULES)));
        for (int i = 0; i < 100; i++) {
            process(tx("e" + i, i * SECOND, "{}"));
        }
        Explanation.Window window = feature(explain("e99"), "n").window();
        assertThat(window.count()).isEqualTo(100);
        assertThat(window.leftOut()).isEqualTo(60);
        assertThat(window.events())
                .extracting(Contributor::eventId)
                .hasSize(40)
                .startsWith("e0", "e1")
                .endsWith("e98", "e99");
    }

    @Test
    void shouldNameLabelsAndRowsThatMayHaveChangedSince() {
        String text = policy("""
                reference: {account: {fields: {level: long}}}
                features:
                  fraud: {rate: tx.label.fraud, over: 1h}
                  n: {count: tx, over: 1h}
                  level: {expr: account.level}
                rules:
                  - {id: fraudulent, when: "fraud > 0.5", score: 10}
                  - {id: many, when: "n > 0", score: 10}
                """);
        process(TestRecord.policy(text), TestRecord.reference("account", "{\"level\": 7}"), tx("a", 0, "{}"));
        Explanation before = explain("a");
        assertThat(feature(before, "level").doubts()).isEmpty();
        assertThat(feature(before, "level").value()).isEqualTo(7L);
        process(TestRecord.label("a", "fraud", true), TestRecord.reference("account", "{\"level\": 9}"));
        Explanation after = explain("a");
        assertThat(after.exact()).isFalse();
        assertThat(feature(after, "fraud").doubts()).containsExactly(Doubt.LABELS);
        assertThat(feature(after, "fraud").window().events().get(0).value()).isEqualTo(true);
        assertThat(feature(after, "level").doubts()).containsExactly(Doubt.REFERENCE);
        assertThat(feature(after, "n").doubts()).isEmpty();
        assertThat(after.rules()).extracting(Rule::doubts).containsExactly(List.of(Doubt.LABELS), List.of());
        process(TestRecord.reference("account", null));
        assertThat(feature(explain("a"), "level").doubts()).containsExactly(Doubt.REFERENCE);
    }

    @Test
    void shouldExplainByThePolicyThatScoredIt() {
        process(TestRecord.policy(policy(RULES)), tx("a", 0, "{\"amount\": 9}"));
        process(
                TestRecord.policy(policy("features: {m: {max: login.ok, over: 2h}}")
                        .replace("max: login.ok", "count: login")
                        .replace(
                                "  tx: {fields: {amount: money, merchant: string, ok: bool, lat: double, lon: double}}\n",
                                "")
                        .replace("version: 1", "version: 2")),
                TestRecord.event("login", "l", T0 + SECOND, "{}"));
        scorer.write(scorer.takeStep());
        scorer = new PartitionScorer("topic-1", 3, store, 1_000);
        Explanation first = explain("a");
        assertThat(first.policyVersion()).isEqualTo(1);
        assertThat(first.exact()).isTrue();
        assertThat(feature(first, "share").value()).isEqualTo(9.0);
        assertThat(feature(first, "n").completeSinceUs())
                .as("of a policy that is gone, as it was when that policy scored")
                .isEqualTo(T0 + HOUR);
        assertThat(first.completenessUnknown()).isNull();
        Explanation second = explain("l");
        assertThat(second.policyVersion()).isEqualTo(2);
        assertThat(feature(second, "m").completeSinceUs()).isEqualTo(T0 + 2 * HOUR);
    }

    @Test
    void shouldSayWhyItIsNotKnownSinceWhenTheFeaturesOfAPolicyThatIsGoneWereComplete() {
        String first = policy(RULES);
        String second = first.replace("version: 1", "version: 2");
        process(TestRecord.policy(first), tx("a", 0, "{}"), TestRecord.policy(second), tx("b", SECOND, "{}"));
        scorer.write(scorer.takeStep());
        StateBatch earlier = new StateBatch();
        earlier.put("a".getBytes(StandardCharsets.UTF_8), pastPoliciesOfFormat1(first, second));
        store.write(earlier);
        scorer = new PartitionScorer("topic-1", 3, store, 1_000);
        assertThat(explain("a").completenessUnknown()).contains("replaced under an earlier Vigil");
        assertThat(feature(explain("a"), "n").completeSinceUs()).isNull();
        assertThat(explain("b").completenessUnknown()).isNull();
        assertThat(feature(explain("b"), "n").completeSinceUs()).isEqualTo(T0 + HOUR);
    }

    /** Of activations at offsets 0 and 2, as docs/formats/state.md has them. */
    private static byte[] pastPoliciesOfFormat1(String... texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(1);
        bytes.write(texts.length);
        for (int i = 0; i < texts.length; i++) {
            byte[] text = texts[i].getBytes(StandardCharsets.UTF_8);
            bytes.write(4 * i);
            bytes.write(1);
            bytes.write(text.length & 0x7F | 0x80);
            bytes.write(text.length >> 7);
            bytes.writeBytes(text);
        }
        return bytes.toByteArray();
    }

    @Test
    void shouldSayThatThePolicyIsNotKeptAnyMore() {
        process(TestRecord.policy(policy(RULES)), tx("a", 0, "{}"));
        for (int i = 0; i < 8; i++) {
            assertThat(explain("a").exact()).isTrue();
            process(TestRecord.policy(policy(RULES).replace("version: 1", "version: " + (i + 2))));
        }
        refuses(Kind.POLICY_GONE, "event a was scored by a policy that is not kept any more", () -> explain("a"));
    }

    @Test
    void shouldNameWindowsWhoseEventsMayHaveLeft() {
        process(TestRecord.policy(policy(RULES)));
        for (int i = 0; i < 40; i++) {
            process(tx("e" + i, i * 10 * MINUTE, "{\"amount\": 1}"));
        }
        refuses(
                Kind.UNKNOWN,
                "account acc-1 has no event e0 that is remembered: it may have been late or refused, and never scored; events up to 2026-03-01T0",
                () -> explain("e0"));
        assertThat(explain("e39").exact()).isTrue();
        String oldest = outputs.scored().stream()
                .map(ScoredEvent::eventId)
                .filter(id -> isRemembered(id))
                .findFirst()
                .orElseThrow();
        Explanation partial = explain(oldest);
        assertThat(feature(partial, "n").doubts()).containsExactly(Doubt.FORGOTTEN);
        assertThat(feature(partial, "share").doubts()).containsExactly(Doubt.FORGOTTEN);
        assertThat(partial.rules().get(0).doubts()).containsExactly(Doubt.FORGOTTEN);
    }

    private boolean isRemembered(String id) {
        try {
            return scorer.look(TestRecord.ACCOUNT, id, null) != null;
        } catch (CannotExplainException e) {
            return false;
        }
    }

    @Test
    void shouldSayWhatItDoesNotKnowAndWhatIsNotClear() {
        process(TestRecord.policy(policy(RULES)), tx("a", 0, "{}"));
        process(tx("a", SECOND, "{}").withHeader(EventEnvelope.SOURCE_HEADER, "/other"));
        refuses(Kind.UNKNOWN, "nothing is remembered of account nobody", () -> scorer.look("nobody", "a", null));
        refuses(Kind.UNKNOWN, "account acc-1 has no event z", () -> explain("z"));
        refuses(Kind.UNKNOWN, "no event a of source /third", () -> scorer.look(TestRecord.ACCOUNT, "a", "/third"));
        refuses(Kind.AMBIGUOUS, "of several sources: /other, /test; name one", () -> explain("a"));
        assertThat(feature(scorer.look(TestRecord.ACCOUNT, "a", "/other").explain(), "n")
                        .value())
                .isEqualTo(2L);
        assertThat(scorer.look(TestRecord.ACCOUNT, 1).explain().source()).isEqualTo(TestRecord.SOURCE);
    }

    /** Looking must leave no trace: the state's bytes are a function of the log. */
    @Test
    void shouldChangeNothing() {
        process(TestRecord.policy(policy(RULES)), tx("a", 0, "{\"amount\": 2}"));
        scorer.write(scorer.takeStep());
        int keys = store.size();
        explain("a");
        refuses(Kind.UNKNOWN, "nobody", () -> scorer.look("nobody", "a", null));
        assertThat(scorer.takeStep().entries())
                .as("the task's own key alone")
                .allSatisfy(entry -> assertThat(new String(entry.key(), StandardCharsets.UTF_8))
                        .isEqualTo("t"));
        assertThat(store.size()).isEqualTo(keys);
    }
}
