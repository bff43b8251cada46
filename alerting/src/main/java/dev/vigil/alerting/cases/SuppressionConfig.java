package dev.vigil.alerting.cases;

import dev.vigil.config.ConfigNode;
import dev.vigil.event.Alert;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keys {@code cases}, {@code escalation} and {@code quiet-rules} of the {@code alerting} section.
 *
 * @param idle event time without alerts after which an untouched case closes by itself
 * @param keep event time for which closed cases are kept
 * @param escalation what is worse than what was sent
 * @param quietRules alerts that only these hit are not sent
 */
public record SuppressionConfig(Duration idle, Duration keep, Escalation escalation, Set<String> quietRules) {
    /** Keys of the {@code alerting} section that belong here. */
    public static final String[] KEYS = {"cases", "escalation", "quiet-rules"};

    private static final Duration SHORTEST = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofDays(3_650);
    private static final SuppressionConfig DEFAULTS = new SuppressionConfig(
            Duration.ofDays(7), Duration.ofDays(90), new Escalation(10, BigDecimal.valueOf(2), "amount"), Set.of());

    public SuppressionConfig {
        quietRules = Set.copyOf(quietRules);
    }

    /**
     * An alert whose group cools down is sent nevertheless if one of these holds, or its decision is stricter.
     *
     * @param score by how much its score exceeds the highest one sent, at least
     * @param amountFactor its amount is at least that many times the highest one sent
     * @param amountField field of the event that has the amount
     */
    public record Escalation(int score, BigDecimal amountFactor, String amountField) {
        /** In major units; absent where the event has no number there. */
        @Nullable
        BigDecimal amount(Alert alert) {
            Object amount = alert.fields().get(amountField);
            return amount instanceof Number ? new BigDecimal(Objects.toString(amount)) : null;
        }

        boolean exceeds(Alert alert, @Nullable BigDecimal amount, Sent sent) {
            return (long) alert.score() >= (long) sent.score() + score
                    || alert.decision().compareTo(sent.decision()) > 0
                    || (amount != null && isMany(amount, sent.amount()));
        }

        private boolean isMany(BigDecimal amount, @Nullable BigDecimal sent) {
            return sent != null && sent.signum() > 0 && amount.compareTo(sent.multiply(amountFactor)) >= 0;
        }
    }

    public static SuppressionConfig defaults() {
        return DEFAULTS;
    }

    /** @param alerting the {@code alerting} section */
    public static SuppressionConfig from(ConfigNode alerting) {
        ConfigNode cases = alerting.find("cases").orElse(null);
        Duration idle = DEFAULTS.idle;
        Duration keep = DEFAULTS.keep;
        if (cases != null) {
            cases.knownKeys("idle", "keep");
            idle = cases.get("idle", idle, SuppressionConfig::span);
            keep = cases.get("keep", keep, SuppressionConfig::span);
        }
        return new SuppressionConfig(
                idle,
                keep,
                alerting.get("escalation", DEFAULTS.escalation, SuppressionConfig::escalation),
                alerting.get("quiet-rules", Set.of(), SuppressionConfig::rules));
    }

    private static Duration span(ConfigNode node) {
        Duration span = node.duration();
        if (span.compareTo(SHORTEST) < 0 || span.compareTo(LONGEST) > 0) {
            throw node.expected("a duration from 1m to 3650d");
        }
        return span;
    }

    private static Escalation escalation(ConfigNode node) {
        node.knownKeys("score", "amount-factor", "amount-field");
        return new Escalation(
                node.get("score", DEFAULTS.escalation.score, score -> score.integerBetween(1, Integer.MAX_VALUE)),
                node.get("amount-factor", DEFAULTS.escalation.amountFactor, SuppressionConfig::factor),
                node.get("amount-field", DEFAULTS.escalation.amountField, ConfigNode::text));
    }

    private static BigDecimal factor(ConfigNode node) {
        BigDecimal factor = BigDecimal.valueOf(node.number());
        if (factor.compareTo(BigDecimal.ONE) <= 0) {
            throw node.expected("a number above 1");
        }
        return factor;
    }

    private static Set<String> rules(ConfigNode list) {
        Set<String> rules = new LinkedHashSet<>();
        list.items().forEach(item -> rules.add(item.text()));
        return rules;
    }

    long idleUs() {
        return idle.toMillis() * 1_000;
    }

    long keepUs() {
        return keep.toMillis() * 1_000;
    }

    /** Whether rules hit, and all of them are quiet. */
    boolean quiets(Alert alert) {
        return !alert.rules().isEmpty() && alert.rules().stream().allMatch(hit -> quietRules.contains(hit.rule()));
    }
}
