package dev.vigil.alerting.cases;

import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The worst of a case that was sent, each part by itself: what an alert has to exceed to be sent while the group cools down.
 *
 * @param amount absent where none that was sent had one in the case's currency
 */
public record Sent(int score, @Nullable BigDecimal amount, Decision decision) {
    static Sent plus(@Nullable Sent sent, Alert alert, @Nullable BigDecimal amount) {
        if (sent == null) {
            return new Sent(alert.score(), amount, alert.decision());
        }
        return new Sent(
                Math.max(sent.score, alert.score()),
                max(sent.amount, amount),
                sent.decision.compareTo(alert.decision()) >= 0 ? sent.decision : alert.decision());
    }

    private static @Nullable BigDecimal max(@Nullable BigDecimal one, @Nullable BigDecimal other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.max(other);
    }
}
