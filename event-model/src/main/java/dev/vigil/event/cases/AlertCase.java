package dev.vigil.event.cases;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Alerts of one group, from the first until somebody closes the case or it has been idle for long.
 *
 * @param caseId derived from the fingerprint and the first alert, so that it is the same after a restart and a rebuild
 * @param fingerprint of the group: the policy's name and the value of its {@code group_by}
 * @param account of the first alert; its partition of the log has all actions on the case
 * @param revision grows by one with every change; what an action may demand not to have moved
 * @param openedAtUs event time of the first alert, µs since the epoch
 * @param lastAlertAtUs largest event time of its alerts, µs since the epoch
 * @param maxAmount largest amount of its alerts in the policy's currency, as decimal text; absent where none has one
 * @param alertCount all alerts, suppressed ones included
 * @param suppressed alerts that nobody was told of, by the label of the reason: {@code cooldown}, {@code snooze}, {@code quiet};
 *     {@code unrouted} where no endpoint wants it
 * @param rules names of the rules that any of its alerts hit, in the order of their first hit
 * @param alerts the latest, newest last; bounded, so fewer than {@code alertCount} for a large case
 * @param history what was done and by whom, oldest first; bounded, the topic of actions has all
 */
public record AlertCase(
        String caseId,
        String fingerprint,
        String policy,
        String groupBy,
        String account,
        CaseState state,
        long revision,
        @Nullable String assignee,
        @Nullable Disposition disposition,
        @Nullable Snooze snooze,
        long openedAtUs,
        long lastAlertAtUs,
        int maxScore,
        @Nullable String maxAmount,
        @Nullable String currency,
        long alertCount,
        Map<String, Long> suppressed,
        List<String> rules,
        List<CaseAlert> alerts,
        List<CaseEntry> history) {
    public AlertCase {
        suppressed = Map.copyOf(suppressed);
        rules = List.copyOf(rules);
        alerts = List.copyOf(alerts);
        history = List.copyOf(history);
    }

    /**
     * Nobody is told of the case's group for a while.
     *
     * @param untilUs event time from which on alerts are sent again, µs since the epoch
     * @param by who answers for it
     */
    public record Snooze(long untilUs, String by, @Nullable String reason) {}

    /**
     * One alert of the case.
     *
     * @param amount in the policy's currency, as decimal text
     * @param suppressedBy label of the reason why nobody was told; absent where it was sent
     * @param escalation whether it was sent although another had been shortly before, since it is worse
     */
    public record CaseAlert(
            String alertId,
            String eventId,
            String source,
            String account,
            long eventTimeUs,
            int score,
            String decision,
            @Nullable String amount,
            List<String> rules,
            @Nullable String suppressedBy,
            boolean escalation) {
        public CaseAlert {
            rules = List.copyOf(rules);
        }
    }

    /**
     * One line of the audit.
     *
     * @param by who; {@code vigil} for what happened by itself
     * @param atMs when, ms since the epoch
     * @param done an action's label, or {@code opened}, {@code expired}; {@code refused} for an action that did nothing
     * @param text what else there is to say: the note, the assignee, the disposition; why an action was refused
     */
    public record CaseEntry(
            String actionId,
            String by,
            long atMs,
            String done,
            @Nullable String text) {}
}
