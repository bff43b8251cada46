package dev.vigil.scoring;

import static dev.vigil.scoring.TestPolicies.DAY;
import static dev.vigil.scoring.TestPolicies.SECOND;
import static dev.vigil.scoring.TestPolicies.T0;
import static dev.vigil.scoring.TestPolicies.policy;
import static dev.vigil.scoring.TestPolicies.tx;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.RuleHit;
import dev.vigil.event.ScoredEvent;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reference rows, lists, rules, decisions, alerts. */
class DecisionTest {
    private static final String RULES = """
            rules:
              - {id: some, when: "amount >= 10.0", score: 30, reason: "some money"}
              - {id: more, when: "amount >= 20.0", score: 20}
              - {id: most, when: "amount >= 30.0", score: 30}
              - {id: tried, when: "amount >= 10.0", score: 500, shadow: true}
            decisions: [{decline: 80}, {review: 50}]
            alerts: {on: [review, decline], group_by: merchant, cooldown: 15m}
            """;

    private static TestRecord pay(String id, String amount) {
        return tx(id, 0, "{\"amount\": " + amount + ", \"merchant\": \"m1\"}");
    }

    @Test
    void shouldDecideByThresholdsOfTheSummedScore() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy(RULES))
                .add(pay("nothing", "9.99"))
                .add(pay("some", "10"))
                .add(pay("more", "20"))
                .add(pay("most", "30"))
                .run();
        assertThat(outputs.scored()).extracting(ScoredEvent::score).containsExactly(0, 30, 50, 80);
        assertThat(outputs.scored())
                .extracting(ScoredEvent::decision)
                .containsExactly(Decision.APPROVE, Decision.APPROVE, Decision.REVIEW, Decision.DECLINE);
        assertThat(outputs.alerts()).extracting(Alert::eventId).containsExactly("more", "most");
    }

    @Test
    void shouldRecordShadowRulesWithoutCountingThem() {
        ScoredEvent scored = PartitionScorerTester.withPolicy(policy(RULES))
                .add(pay("a", "10"))
                .run()
                .scored("a");
        assertThat(scored.rules())
                .containsExactly(new RuleHit("some", 30, "some money", Map.of("amount", new BigDecimal("10.00"))));
        assertThat(scored.shadowRules())
                .containsExactly(new RuleHit("tried", 500, "tried", Map.of("amount", new BigDecimal("10.00"))));
    }

    @Test
    void shouldNeverShowShadowRulesInAlerts() {
        Alert alert = PartitionScorerTester.withPolicy(policy(RULES))
                .add(pay("a", "20"))
                .run()
                .alerts()
                .get(0);
        assertThat(alert.rules()).extracting(RuleHit::rule).containsExactly("some", "more");
        assertThat(alert.groupBy()).isEqualTo("m1");
        assertThat(alert.cooldownMs()).isEqualTo(900_000);
        assertThat(alert.currency()).isEqualTo("EUR");
        assertThat(alert.fields()).containsEntry("amount", new BigDecimal("20.00"));
    }

    @Test
    void shouldGroupByTheAccountWhereTheFieldIsAbsent() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy(RULES))
                .add(tx("a", 0, "{\"amount\": 20}"))
                .run();
        assertThat(outputs.alerts()).extracting(Alert::groupBy).containsExactly(TestRecord.ACCOUNT);
    }

    /** Later readers rely on it: the id is what makes a repeated alert the same alert. */
    @Test
    void shouldDeriveTheAlertsIdFromPositionAndIdentityAlone() {
        PartitionScorerTester tester = PartitionScorerTester.withPolicy(policy(RULES));
        List<Alert> alerts =
                tester.add(pay("a", "20")).add(pay("b", "20")).run().alerts();
        assertThat(alerts.get(0).alertId()).isEqualTo("alr_21b6f7b7a5c2a24a7d534f2c906ff4d0");
        assertThat(alerts.get(1).alertId()).isNotEqualTo(alerts.get(0).alertId());
        String otherScores = policy(RULES).replace("score: 20", "score: 40");
        assertThat(PartitionScorerTester.withPolicy(otherScores)
                        .add(pay("a", "20"))
                        .run()
                        .alerts()
                        .get(0)
                        .alertId())
                .isEqualTo(alerts.get(0).alertId());
    }

    @Test
    void shouldAlertOnReviewAndDeclineUnlessToldOtherwise() {
        String rules = "rules: [{id: a, when: \"amount > 0.0\", score: 1}]\n";
        assertThat(PartitionScorerTester.withPolicy(policy(rules + "decisions: [{review: 1}]"))
                        .add(pay("a", "1"))
                        .run()
                        .alerts())
                .hasSize(1);
        assertThat(PartitionScorerTester.withPolicy(policy(rules + "decisions: [{review: 1}]\nalerts: {on: [decline]}"))
                        .add(pay("a", "1"))
                        .run()
                        .alerts())
                .isEmpty();
        assertThat(PartitionScorerTester.withPolicy(policy(rules + "alerts: {on: [approve]}"))
                        .add(pay("a", "1"))
                        .run()
                        .alerts())
                .hasSize(1);
    }

    @Test
    void shouldReadReferenceRowsUntilTheyAreReplacedOrRemoved() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("""
                                reference:
                                  account: {fields: {limit: money, home: string, since: timestamp}}
                                features:
                                  share: {expr: "amount / account.limit"}
                                  known: {expr: "present(account.limit)"}
                                  young: {expr: "event_time - account.since < duration('7d')"}
                                """))
                .add(pay("none", "5"))
                .add(TestRecord.reference(
                        "account", "{\"limit\": 100, \"home\": \"DE\", \"since\": \"2026-02-25T00:00:00Z\"}"))
                .add(pay("first", "5"))
                .add(TestRecord.reference("account", "{\"limit\": 50.00}"))
                .add(pay("replaced", "5"))
                .add(pay("elsewhere", "5").withAccount("other"))
                .add(TestRecord.reference("account", "{\"limit\": \"much\"}"))
                .add(TestRecord.reference("account", null))
                .add(pay("removed", "5"))
                .run();
        assertThat(outputs.features("share").toString()).isEqualTo("[absent, 0.05, 0.1, absent, absent]");
        assertThat(outputs.features("known").toString()).isEqualTo("[false, true, true, false, false]");
        assertThat(outputs.features("young").toString()).isEqualTo("[absent, true, absent, absent, absent]");
        assertThat(outputs.deadLetters()).hasSize(1);
    }

    @Test
    void shouldLookUpLists() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("""
                                lists:
                                  bad_shops: {field: merchant, values: [m1, "m 2"]}
                                  trusted: {field: account, values: [acc-1]}
                                  empty: {field: merchant}
                                features:
                                  bad: {expr: bad_shops}
                                  trust: {expr: trusted}
                                  none: {expr: "!empty"}
                                """))
                .add(pay("a", "1"))
                .add(tx("b", 0, "{\"merchant\": \"m 2\"}").withAccount("other"))
                .add(tx("c", 0, "{\"merchant\": \"M1\"}"))
                .add(tx("d", 0, "{}"))
                .run();
        assertThat(outputs.features("bad").toString()).isEqualTo("[true, true, false, absent]");
        assertThat(outputs.features("trust").toString()).isEqualTo("[true, false, true, true]");
        assertThat(outputs.features("none").toString()).isEqualTo("[true, true, true, absent]");
    }

    @Test
    void shouldNotLetARuleHitOnWhatIsAbsent() {
        String rules = """
                rules:
                  - {id: unknown, when: "amount > 5.0", score: 1}
                  - {id: negated, when: "!(amount > 5.0)", score: 2}
                  - {id: decided, when: "amount > 5.0 || true", score: 4}
                  - {id: typed, when: "event_type == 'login' && amount > 5.0", score: 8}
                  - {id: other, when: "event_type != 'login' || amount > 5.0", score: 16}
                """;
        Outputs outputs = PartitionScorerTester.withPolicy(policy(rules))
                .add(tx("a", 0, "{}"))
                .add(TestRecord.event("login", "l", T0, "{}"))
                .run();
        assertThat(outputs.scored()).extracting(ScoredEvent::score).containsExactly(4 + 16, 4);
    }

    @Test
    void shouldLetFeaturesReadFeaturesAboveThem() {
        Outputs outputs = PartitionScorerTester.withPolicy(policy("""
                                features:
                                  TX_AVG: {avg: tx.amount, over: 1d, prior: true}
                                  ratio: {expr: "amount / max(TX_AVG, 1.0)"}
                                  twice: {expr: "ratio * 2.0"}
                                  endless: {expr: "1.0 / 0.0"}
                                """))
                .add(pay("a", "10"))
                .add(tx("b", DAY - SECOND, "{\"amount\": 30}"))
                .run();
        assertThat(outputs.scored("a").features().toString()).isEqualTo("{}");
        assertThat(outputs.scored("b").features().toString()).isEqualTo("{TX_AVG=10.0, ratio=3.0, twice=6.0}");
    }

    @Test
    void shouldCountLabelsFromWhenTheyArrive() {
        String rate =
                policy("features: {r: {rate: tx.label.fraud, over: 1h}, b: {rate: tx.label.chargeback, over: 1h}}");
        Outputs outputs = PartitionScorerTester.withPolicy(rate)
                .add(pay("a", "1"))
                .add(pay("b", "1"))
                .add(TestRecord.label("a", "fraud", true))
                .add(TestRecord.label("a", "fraud", true))
                .add(TestRecord.label("b", "chargeback", true))
                .add(pay("c", "1"))
                .add(TestRecord.label("a", "fraud", false))
                .add(TestRecord.label("c", "fraud", true).withAccount("other"))
                .add(pay("d", "1"))
                .run();
        assertThat(outputs.features("r").toString()).isEqualTo("[0.0, 0.0, 0.3333333333333333, 0.0]");
        assertThat(outputs.features("b").toString()).isEqualTo("[0.0, 0.0, 0.3333333333333333, 0.25]");
    }
}
