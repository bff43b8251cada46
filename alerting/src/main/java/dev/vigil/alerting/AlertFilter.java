package dev.vigil.alerting;

import dev.vigil.config.ConfigNode;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which alerts an endpoint wants: those for which every condition holds.
 *
 * @param decisions one of these
 * @param rules at least one of these hit; empty: whatever hit
 * @param minScore the score is this or higher
 * @param minAmount the event's {@code amountField} is this or higher, in major units of the policy's currency; an event
 *     without the field is not wanted then. Absent: whatever the amount
 */
public record AlertFilter(
        Set<Decision> decisions,
        Set<String> rules,
        int minScore,
        @Nullable BigDecimal minAmount,
        String amountField) {
    /** Every alert. */
    public static final AlertFilter ALL = new AlertFilter(EnumSet.allOf(Decision.class), Set.of(), 0, null, "amount");

    static final String[] KEYS = {"decisions", "rules", "min-score", "min-amount", "amount-field"};

    public AlertFilter {
        if (decisions.isEmpty()) {
            throw new IllegalArgumentException("expected at least one decision");
        }
        decisions = Set.copyOf(decisions);
        rules = Set.copyOf(rules);
    }

    /** From the keys of an endpoint. */
    static AlertFilter from(ConfigNode node) {
        if (node.has("amount-field") && !node.has("min-amount")) {
            throw node.require("amount-field").keyError("expected min-amount beside it");
        }
        return new AlertFilter(
                node.get("decisions", ALL.decisions, AlertFilter::decisions),
                node.get("rules", ALL.rules, AlertFilter::rules),
                node.get("min-score", ALL.minScore, score -> score.integerBetween(0, Integer.MAX_VALUE)),
                node.find("min-amount")
                        .map(amount -> amount.read("an amount such as 250.00", BigDecimal::new))
                        .orElse(null),
                node.get("amount-field", ALL.amountField, ConfigNode::text));
    }

    private static Set<Decision> decisions(ConfigNode list) {
        EnumSet<Decision> decisions = EnumSet.noneOf(Decision.class);
        list.items().forEach(item -> decisions.add(item.read("approve, review or decline", Decision::parse)));
        if (decisions.isEmpty()) {
            throw list.error("expected at least one decision");
        }
        return decisions;
    }

    private static Set<String> rules(ConfigNode list) {
        Set<String> rules = new LinkedHashSet<>();
        list.items().forEach(item -> rules.add(item.text()));
        if (rules.isEmpty()) {
            throw list.error("expected at least one rule; without the key it is whatever rule hit");
        }
        return rules;
    }

    boolean wants(Alert alert) {
        return decisions.contains(alert.decision())
                && alert.score() >= minScore
                && (rules.isEmpty() || alert.rules().stream().anyMatch(hit -> rules.contains(hit.rule())))
                && (minAmount == null || isEnough(alert.fields().get(amountField), minAmount));
    }

    private static boolean isEnough(@Nullable Object amount, BigDecimal least) {
        return amount instanceof Number && new BigDecimal(Objects.toString(amount)).compareTo(least) >= 0;
    }
}
