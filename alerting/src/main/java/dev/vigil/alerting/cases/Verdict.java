package dev.vigil.alerting.cases;

import dev.vigil.event.Alert;
import dev.vigil.event.EventTimes;
import dev.vigil.event.cases.AlertCase;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Whether somebody is told of an alert.
 *
 * @param reason why not; absent: it is sent
 * @param detail reason and case in words; absent where it is sent
 * @param escalation it is sent although its group cools down, since it is worse than what was sent
 */
public record Verdict(
        @Nullable SuppressionReason reason, @Nullable String detail, boolean escalation) {
    static final Verdict UNROUTED = new Verdict(SuppressionReason.UNROUTED, null, false);
    private static final Verdict SENT = new Verdict(null, null, false);
    private static final Verdict ESCALATED = new Verdict(null, null, true);

    public boolean sent() {
        return reason == null;
    }

    /**
     * For an alert that an endpoint wants.
     *
     * @param head of its case, without it
     * @param amount comparable with those of the case
     * @param coolingAfter id of the alert whose cooldown it falls into; absent: none
     */
    static Verdict on(
            Alert alert,
            CaseHead head,
            @Nullable BigDecimal amount,
            @Nullable String coolingAfter,
            SuppressionConfig config) {
        if (config.quiets(alert)) {
            return suppressed(SuppressionReason.QUIET, "quiet: every rule that hit is", head);
        }
        AlertCase.Snooze snooze = head.standing().snooze();
        if (snooze != null && alert.eventTimeUs() < snooze.untilUs()) {
            String until = "snooze: until " + EventTimes.format(snooze.untilUs()) + " by " + snooze.by();
            return suppressed(SuppressionReason.SNOOZE, until, head);
        }
        if (coolingAfter == null) {
            return SENT;
        }
        Sent sent = head.sent();
        if (sent != null && config.escalation().exceeds(alert, amount, sent)) {
            return ESCALATED;
        }
        return suppressed(SuppressionReason.COOLDOWN, "cooldown: after alert " + coolingAfter, head);
    }

    private static Verdict suppressed(SuppressionReason reason, String why, CaseHead head) {
        return new Verdict(reason, why + ", case " + head.caseId(), false);
    }
}
