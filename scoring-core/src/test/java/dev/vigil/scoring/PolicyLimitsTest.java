package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.T0;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigException;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.ScoredEvent;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.PolicyLimits;
import dev.vigil.scoring.state.InMemoryStateStore;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Policies at their limits can be used; what is larger is refused at its place, at once. */
class PolicyLimitsTest {
    private static final String HEAD = """
            policy: p
            version: 1
            currency: EUR
            events:
              tx: {fields: {amount: money, ok: bool, merchant: string}}
            """;

    /** What a broker takes by default, without the record's headers and what Kafka adds. */
    private static final int MESSAGE_BYTES = 1_048_588 - 2_048;

    private static String entries(int count, String format) {
        return IntStream.range(0, count)
                .mapToObj(i -> "  " + format.replace("#", Integer.toString(i)) + "\n")
                .collect(Collectors.joining());
    }

    private static void assertRefused(String policy, String message) {
        assertThatThrownBy(() -> Policies.check("p.yaml", policy))
                .isInstanceOf(ConfigException.class)
                .hasMessage(message);
    }

    @Test
    void shouldRefuseMoreThanItsLimitOfEach() {
        assertRefused(
                HEAD + "features:\n" + entries(1_001, "f#: {count: tx, over: 1h}"),
                "p.yaml:1007:3: features: expected at most 1000 features, found 1001");
        assertRefused(
                HEAD + "rules:\n" + entries(1_200, "- {id: r#, when: ok, score: 1}"),
                "p.yaml:1007:5: rules: expected at most 1000 rules, found 1200");
        assertRefused(
                HEAD + "summaries:\n" + entries(101, "s#: {every: 1h, values: {n: {count: tx}}}"),
                "p.yaml:107:3: summaries: expected at most 100 summaries, found 101");
        assertRefused(
                HEAD + "summaries:\n  s: {every: 1h, values: {"
                        + IntStream.range(0, 101)
                                .mapToObj(i -> "v" + i + ": {count: tx}")
                                .collect(Collectors.joining(", "))
                        + "}}",
                "p.yaml:7:1817: summaries.s.values: expected at most 100 values, found 101");
        assertRefused(
                HEAD + "lists:\n" + entries(101, "l#: {field: merchant}"),
                "p.yaml:107:3: lists: expected at most 100 lists, found 101");
        assertRefused(
                HEAD + entries(100, "t#: {fields: {x: long}}"),
                "p.yaml:105:3: events: expected at most 100 event types, found 101");
        assertRefused(
                HEAD + "reference:\n" + entries(101, "r#: {fields: {x: long}}"),
                "p.yaml:107:3: reference: expected at most 100 references, found 101");
        assertRefused(
                HEAD + "reference: {r: {fields: {"
                        + IntStream.range(0, 65)
                                .mapToObj(i -> "f" + i + ": long")
                                .collect(Collectors.joining(", "))
                        + "}}}",
                "p.yaml:6:720: reference.r.fields: expected at most 64 fields, found 65");
    }

    @Test
    void shouldRefuseNamesAndExpressionsThatAreTooLong() {
        String name = "n".repeat(101);
        String shown = "n".repeat(80) + "…";
        assertRefused(
                HEAD + "features: {" + name + ": {count: tx, over: 1h}}",
                "p.yaml:6:12: features." + shown + ": expected a name of at most 100 characters, found 101");
        assertRefused(
                HEAD + "rules: [{id: " + name + ", when: ok, score: 1}]",
                "p.yaml:6:10: rules[0].id: expected an id of at most 100 characters, found 101");
        assertRefused(
                HEAD + "rules: [{id: r, when: \"" + "ok && ".repeat(700) + "ok\", score: 1}]",
                "p.yaml:6:23: rules[0].when: expected an expression of at most 4000 characters, found 4202");
    }

    /** Neither of which may end in the stack. */
    @Test
    void shouldCompileOrExplainWhateverFitsAnExpression() {
        Map<String, String> expressions = new LinkedHashMap<>();
        expressions.put("conjunctions", "ok" + " && ok".repeat(660));
        expressions.put("sums", "amount" + "+amount".repeat(560) + " > 0.0");
        expressions.put("comparisons", "(" + "(".repeat(1_990) + "ok" + ")".repeat(1_991));
        expressions.put("negations", "!".repeat(3_998) + "ok");
        expressions.put("signs", "-".repeat(3_900) + "amount > 0.0");
        expressions.put("choices", "ok ? ok : ".repeat(390) + "ok");
        expressions.put("calls", "max(".repeat(500) + "amount" + ", 1.0)".repeat(400));
        expressions.put("lists", "[".repeat(2_000) + "]".repeat(2_000));
        expressions.put("points", "ok" + ".ok".repeat(1_300));
        expressions.put("members", "merchant in ['a'" + ", 'a'".repeat(790) + "]");
        expressions.forEach((name, expression) -> {
            try {
                Outputs outputs = new Outputs();
                PartitionScorer scorer = new PartitionScorer("topic-1", 0, new InMemoryStateStore(), 10);
                String text = HEAD + "rules:\n  - {id: r, when: \"" + expression + "\", score: 1}\n";
                Policies.check("p.yaml", text);
                LogRecord record = new LogRecord();
                TestRecord.policy(text).fill(record, 0);
                scorer.process(record, outputs);
                TestPolicies.tx("a", 0, "{\"amount\": 1, \"ok\": true, \"merchant\": \"a\"}")
                        .fill(record, 1);
                scorer.process(record, outputs);
                assertThat(outputs.scored()).as(name).hasSize(1);
            } catch (ConfigException e) {
                assertThat(e).as(name).hasMessageStartingWith("p.yaml:7:").hasMessageNotContaining("\n");
                assertThat(e.getMessage()).as(name).hasSizeLessThanOrEqualTo(1_001);
            }
        });
    }

    @Test
    void shouldRefuseATextThatIsTooLargeBeforeLookingIntoIt() {
        String features = entries(20_000, "f#: {count: tx, over: 1h}");
        String text = HEAD + "features:\n" + features;
        int line = (int) text.substring(0, PolicyLimits.TEXT_BYTES).lines().count();
        assertThatThrownBy(() -> Policies.check("p.yaml", text))
                .isInstanceOf(ConfigException.class)
                .hasMessageMatching(
                        "p\\.yaml:" + line + ":\\d+: expected a text of at most 300000 bytes, found " + text.length());
    }

    @Test
    void shouldFitTheLogWhateverCharactersTheLargestTextHas() {
        for (String filling : new String[] {"\"", "\\", "\n#", "\t", "ä", "😀", "\u2028#", "x"}) {
            int room = PolicyLimits.TEXT_BYTES - HEAD.length() - 1;
            int count = room / filling.getBytes(StandardCharsets.UTF_8).length;
            Policy policy = Policies.check("p.yaml", HEAD + "#" + filling.repeat(count));
            EventEnvelope activation = Policies.activation(policy, T0);
            assertThat(activation.data().length).as(filling).isLessThan(MESSAGE_BYTES);
        }
    }

    /** Which it would not do in any patience if checking it cost the square of its features. */
    @Test
    void shouldCheckAndRunAPolicyAtItsLimits() {
        String features = entries(500, "f#: {count: tx, over: #0m, where: \"amount > #.0\"}")
                        .replace("over: 00m", "over: 5m")
                + "  c0: {expr: \"f0 + 1\"}\n"
                + IntStream.range(1, 500)
                        .mapToObj(i -> "  c" + i + ": {expr: \"c" + (i - 1) + " + f" + i + "\"}\n")
                        .collect(Collectors.joining());
        String rules = entries(1_000, "- {id: r#, when: \"c499 > #\", score: 1}");
        String text = HEAD + "features:\n" + features + "rules:\n" + rules;
        assertThat(Policies.check("p.yaml", text).features()).hasSize(PolicyLimits.FEATURES);
        Outputs outputs = new Outputs();
        PartitionScorer scorer = new PartitionScorer("topic-1", 0, new InMemoryStateStore(), 10);
        LogRecord record = new LogRecord();
        TestRecord.policy(text).fill(record, 0);
        scorer.process(record, outputs);
        TestPolicies.tx("a", 0, "{\"amount\": 249.5}").fill(record, 1);
        scorer.process(record, outputs);
        ScoredEvent scored = outputs.scored().get(0);
        assertThat(scored.features()).hasSize(1_000).containsEntry("c499", 251);
        assertThat(scored.score()).isEqualTo(251);
    }
}
