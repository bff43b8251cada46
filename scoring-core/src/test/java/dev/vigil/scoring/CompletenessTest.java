package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.ScoredSchema;
import dev.vigil.scoring.state.InMemoryStateStore;
import dev.vigil.scoring.state.StateBatch;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the schema record of an activation says of the past. Field case G07. */
class CompletenessTest {
    private static final String BASE = "features: {n: {count: tx, over: 1h}}";

    private static TestRecord activation(String yaml, long afterUs) {
        return TestRecord.policy(yaml).withIngestTimeMs((T0 + afterUs) / 1_000);
    }

    private static Map<String, Long> last(Outputs outputs) {
        ScoredSchema schema = outputs.schemas().get(outputs.schemas().size() - 1);
        return schema.completeSinceUs();
    }

    @Test
    void shouldSayNothingOfTheTimeBeforeTheFirstEvent() {
        assertThat(last(PartitionScorerTester.withPolicy(policy(BASE)).run())).isNull();
    }

    @Test
    void shouldCountFromTheFirstEventOn() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy(BASE))
                .add(tx("a", 0, "{}"))
                .add(tx("b", MINUTE, "{}"))
                .add(activation(
                        policy("features: {n: {count: tx, over: 1h, delay: 1m}, m: {sum: tx.amount, over: 10m},"
                                + " r: {expr: \"n > 1 && m > 1.0\"}, own: {expr: \"amount * 2.0\"}}"),
                        MINUTE))
                .run();
        assertThat(last(outputs))
                .containsExactly(
                        Map.entry("n", T0 + HOUR + MINUTE),
                        Map.entry("m", T0 + 10 * MINUTE),
                        Map.entry("r", T0 + HOUR + MINUTE));
    }

    /** The watermark is at T0 + 10 h − 10 s, the lateness 1 h, the window 1 h: what is older may have left. */
    @Test
    void shouldSayThatALongerWindowBeginsWithAPartialPast() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy(BASE))
                .add(tx("a", 0, "{}"))
                .add(tx("b", 10 * HOUR, "{}"))
                .add(activation(policy("features: {n: {count: tx, over: 1h}, day: {count: tx, over: 24h}}"), 10 * HOUR))
                .run();
        long forgotten = T0 + 10 * HOUR - 10 * SECOND - 2 * HOUR;
        assertThat(last(outputs))
                .containsExactly(Map.entry("n", forgotten + HOUR), Map.entry("day", forgotten + 24 * HOUR));
        // Hence the window that did not change is complete for every event that is not late.
        assertThat(last(outputs).get("n")).isEqualTo(T0 + 10 * HOUR - 10 * SECOND - HOUR);
    }

    /** Also where the account was idle, so that its old events are still there: the answer is the task's. */
    @Test
    void shouldNotForgetThatItForgotWhenTheWindowIsShortenedAgain() {
        String day = policy("features: {day: {count: tx, over: 24h}}");
        Outputs outputs = PartitionScorerTester.withPolicy(policy(BASE))
                .add(tx("a", 0, "{}"))
                .add(tx("b", 10 * HOUR, "{}"))
                .add(activation(day, 10 * HOUR))
                .add(activation(policy(BASE), 10 * HOUR))
                .add(activation(day, 10 * HOUR))
                .run();
        assertThat(last(outputs)).containsExactly(Map.entry("day", T0 + 32 * HOUR - 10 * SECOND));
    }

    @Test
    void shouldKnowATypeFromItsDeclarationOnWhereEventsWereRefused() {
        String more = policy("features: {c: {count: card, over: 1h}}")
                .replace("events:\n", "events:\n  card: {fields: {kind: string}}\n");
        Outputs refused = PartitionScorerTester.withPolicy(policy(BASE))
                .add(tx("a", 0, "{}"))
                .add(TestRecord.event("card", "lost", T0, "{}"))
                .add(activation(more, HOUR))
                .run();
        assertThat(last(refused)).containsExactly(Map.entry("c", T0 + HOUR + 5 * MINUTE + HOUR));
        Outputs noneRefused = PartitionScorerTester.withPolicy(policy(BASE))
                .add(tx("a", 0, "{}"))
                .add(activation(more, HOUR))
                .run();
        assertThat(last(noneRefused)).containsExactly(Map.entry("c", T0 + HOUR));
    }

    @Test
    void shouldKnowAFieldFromItsDeclarationOnWhereverItIsRead() {
        String more = policy("features: {n: {count: tx, over: 1h}, w: {count: tx, where: \"kind == 'x'\", over: 1h},"
                        + " d: {distinct: tx.kind, over: 1h}}")
                .replace("amount: money", "amount: money, kind: string");
        Outputs outputs = PartitionScorerTester.withPolicy(policy(BASE))
                .add(tx("a", 0, "{\"kind\": \"x\"}"))
                .add(tx("b", MINUTE, "{\"kind\": \"x\"}"))
                .add(activation(more, MINUTE))
                .run();
        assertThat(last(outputs))
                .containsExactly(
                        Map.entry("n", T0 + HOUR),
                        Map.entry("w", T0 + MINUTE + HOUR),
                        Map.entry("d", T0 + MINUTE + HOUR));
    }

    @Test
    void shouldClaimNothingForStateOfAVersionThatDidNotKeepIt() {
        InMemoryStateStore store = new InMemoryStateStore();
        PartitionScorer scorer = new PartitionScorer("topic-1", 0, store, 100);
        LogRecord record = new LogRecord();
        TestRecord.policy(policy(BASE)).fill(record, 0);
        scorer.process(record, new Outputs());
        tx("a", 10 * HOUR, "{}").fill(record, 1);
        scorer.process(record, new Outputs());
        StateBatch older = new StateBatch();
        scorer.takeStep().entries().stream()
                .filter(entry -> entry.key()[0] != 'k' && entry.key()[0] != 'a')
                .forEach(entry -> older.put(entry.key(), entry.value()));
        store.write(older);
        PartitionScorer newer = new PartitionScorer("topic-1", 0, store, 100);
        assertThat(newer.completeSinceUs()).containsExactly(Map.entry("n", T0 + 11 * HOUR));
    }
}
