package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.HOUR;
import static dev.vigil.scoring.TestPolicies.MINUTE;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.FieldType;
import dev.vigil.event.SourcePosition;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Policies that follow each other in the log. */
class PolicyChangeTest {
    private static TestRecord withFields(String fields, String features) {
        return TestRecord.policy("""
                policy: test
                version: 1
                currency: EUR
                events: {tx: {fields: {%s}}}
                features: {%s}
                """.formatted(fields, features));
    }

    @Test
    void shouldSayTheTypesThatFollow() {
        Outputs outputs = PartitionScorerTester.withPolicy(
                        policy("features: {s: {sum: tx.amount, over: 1h}, r: {expr: \"amount / 2.0\"}}"))
                .add(TestRecord.policy(
                        policy("features: {n: {count: tx, over: 1h}}").replace("version: 1", "version: 2")))
                .run();
        assertThat(outputs.schemas()).hasSize(2);
        assertThat(outputs.schemas().get(0).features())
                .containsExactly(Map.entry("s", FieldType.MONEY), Map.entry("r", FieldType.DOUBLE));
        assertThat(outputs.schemas().get(0).fields()).containsEntry("lat", FieldType.DOUBLE);
        assertThat(outputs.schemas().get(0).currencyDigits()).isEqualTo(2);
        assertThat(outputs.schemas().get(1).policyVersion()).isEqualTo(2);
        assertThat(outputs.schemas().get(1).position())
                .isEqualTo(new SourcePosition(PartitionScorerTester.TOPIC_ID, PartitionScorerTester.PARTITION, 1));
    }

    @Test
    void shouldScoreByThePolicyThatWasActiveInTheLog() {
        String before = policy("features: {n: {count: tx, over: 1m}}");
        String after = policy("features: {n: {count: tx, over: 1h}}").replace("version: 1", "version: 2");
        Outputs outputs = PartitionScorerTester.withPolicy(before)
                .add(tx("a", 0, "{}"))
                .add(tx("b", MINUTE, "{}"))
                .add(TestRecord.policy(after))
                .add(tx("c", 2 * MINUTE, "{}"))
                .run();
        assertThat(outputs.features("n")).containsExactly(1, 1, 3);
        assertThat(outputs.scored()).extracting("policyVersion").containsExactly(1, 1, 2);
    }

    /** A feature over a field that was declared all along is complete at once. */
    @Test
    void shouldKnowTheFieldsOfEarlierEvents() {
        Outputs outputs = new PartitionScorerTester()
                .add(withFields("amount: money, merchant: string", "n: {count: tx, over: 1h}"))
                .add(tx("a", 0, "{\"amount\": 3, \"merchant\": \"m1\"}"))
                .add(withFields(
                        "merchant: string, amount: money",
                        "s: {sum: tx.amount, over: 1h}, m: {distinct: tx.merchant, over: 1h}"))
                .add(tx("b", SECOND, "{\"amount\": 4, \"merchant\": \"m2\"}"))
                .run();
        assertThat(outputs.scored("b").features().toString()).isEqualTo("{s=7.00, m=2}");
    }

    @Test
    void shouldLoseNothingOfAFieldThatWasAwayForAWhile() {
        Outputs outputs = new PartitionScorerTester()
                .add(withFields("amount: money", "s: {sum: tx.amount, over: 1h}"))
                .add(tx("a", 0, "{\"amount\": 1}"))
                .add(withFields("merchant: string", "n: {count: tx, over: 1h}"))
                .add(tx("b", SECOND, "{\"amount\": 2}"))
                .add(withFields("amount: money", "s: {sum: tx.amount, over: 1h}, n: {count: tx, over: 1h}"))
                .add(tx("c", 2 * SECOND, "{\"amount\": 4}"))
                .run();
        assertThat(outputs.scored("c").features().toString()).isEqualTo("{s=5.00, n=3}");
    }

    @Test
    void shouldTakeAFieldOfAnotherTypeForAnotherField() {
        Outputs outputs = new PartitionScorerTester()
                .add(withFields("x: long", "s: {sum: tx.x, over: 1h}"))
                .add(tx("a", 0, "{\"x\": 1}"))
                .add(withFields("x: money", "s: {sum: tx.x, over: 1h}"))
                .add(tx("b", SECOND, "{\"x\": 2}"))
                .add(withFields("x: long", "s: {sum: tx.x, over: 1h}"))
                .add(tx("c", 2 * SECOND, "{\"x\": 4}"))
                .run();
        assertThat(outputs.features("s").toString()).isEqualTo("[1, 2.00, 5]");
    }

    @Test
    void shouldKeepEventsOfATypeThatWasAwayForAWhile() {
        String both = policy("features: {n: {count: login, over: 1h}}");
        Outputs outputs = PartitionScorerTester.withPolicy(both)
                .add(TestRecord.event("login", "l", T0, "{}"))
                .add(withFields("amount: money", "n: {count: tx, over: 1h}"))
                .add(TestRecord.event("login", "refused", T0 + SECOND, "{}"))
                .add(TestRecord.policy(both))
                .add(tx("a", 2 * SECOND, "{}"))
                .run();
        assertThat(outputs.deadLetters())
                .extracting(Outputs.Refusal::reason)
                .containsExactly(Reason.UNKNOWN_EVENT_TYPE);
        assertThat(outputs.feature("a", "n")).isEqualTo(1);
    }

    /** More fields over time than a layout holds: the oldest undeclared ones go, in memory and in the store alike. */
    @Test
    void shouldGiveUpTheOldestFieldsAlikeInMemoryAndInTheStore() {
        String firstFields = fields("a");
        Outputs outputs = new PartitionScorerTester()
                .add(withFields(firstFields, "n: {count: tx, over: 1h}"))
                .add(tx("old", 0, "{\"a0\": 1, \"a40\": 2}"))
                .add(withFields(fields("b"), "n: {count: tx, over: 1h}"))
                .add(tx("elsewhere", SECOND, "{}").withAccount("other"))
                .add(withFields(
                        firstFields,
                        "last: {last: tx.a0, over: 1h}, n: {count: tx.a0, over: 1h}"
                                .replace("count: tx.a0", "count: tx")))
                .add(tx("new", 2 * SECOND, "{}"))
                .run();
        assertThat(outputs.scored("new").features().toString()).isEqualTo("{n=2}");
    }

    private static String fields(String prefix) {
        return IntStream.range(0, 64).mapToObj(i -> prefix + i + ": long").collect(Collectors.joining(", "));
    }

    @Test
    void shouldRefuseAnotherCurrency() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy(""))
                .add(TestRecord.policy(policy("").replace("EUR", "JPY")))
                .run();
        assertThat(outputs.deadLetters().get(0).detail())
                .isEqualTo(
                        "policy: currency: expected EUR as until now, since remembered amounts are in it, found JPY");
    }

    @Test
    void shouldKeepReferenceRowsOverPolicies() {
        String declaring =
                policy("reference: {account: {fields: {level: long}}}\nfeatures: {l: {expr: account.level}}");
        Outputs outputs = PartitionScorerTester.withPolicy(declaring)
                .add(TestRecord.reference("account", "{\"level\": 7}"))
                .add(TestRecord.policy(policy("")))
                .add(TestRecord.policy(declaring))
                .add(tx("a", HOUR, "{}"))
                .run();
        assertThat(outputs.feature("a", "l")).isEqualTo(7);
    }
}
