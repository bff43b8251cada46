package dev.vigil.alerting.cases;

import dev.vigil.event.Alert;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the alerts of a case add up to.
 *
 * @param lastAlertAtUs largest event time of them
 * @param currency of the first alert with an amount; amounts in another one are not compared with it
 * @param suppressed alerts that nobody was told of, by the label of the reason
 * @param rules in the order of their first hit, at most {@link #MAX_RULES}
 */
public record CaseFigures(
        long lastAlertAtUs,
        int maxScore,
        @Nullable BigDecimal maxAmount,
        @Nullable String currency,
        long alertCount,
        Map<String, Long> suppressed,
        List<String> rules) {
    static final int MAX_RULES = 200;
    static final CaseFigures NONE = new CaseFigures(Long.MIN_VALUE, 0, null, null, 0, Map.of(), List.of());

    public CaseFigures {
        suppressed = Collections.unmodifiableMap(new TreeMap<>(suppressed));
        rules = List.copyOf(rules);
    }

    CaseFigures plus(Alert alert, @Nullable BigDecimal amount, @Nullable SuppressionReason reason) {
        boolean counts = amount != null && isComparable(alert.currency());
        return new CaseFigures(
                Math.max(lastAlertAtUs, alert.eventTimeUs()),
                Math.max(maxScore, alert.score()),
                counts && (maxAmount == null || maxAmount.compareTo(amount) < 0) ? amount : maxAmount,
                counts ? alert.currency() : currency,
                alertCount + 1,
                reason == null ? suppressed : plus(reason),
                plus(alert));
    }

    boolean isComparable(String otherCurrency) {
        return currency == null || currency.equals(otherCurrency);
    }

    private Map<String, Long> plus(SuppressionReason reason) {
        Map<String, Long> sums = new TreeMap<>(suppressed);
        sums.merge(reason.label(), 1L, Long::sum);
        return sums;
    }

    private List<String> plus(Alert alert) {
        List<String> all = new ArrayList<>(rules);
        alert.rules().stream()
                .map(hit -> hit.rule())
                .filter(rule -> all.size() < MAX_RULES && !all.contains(rule))
                .forEach(all::add);
        return all;
    }
}
