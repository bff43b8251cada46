package dev.vigil.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One record of {@code vigil.alerts}: a scored event whose decision the policy wants to be told about.
 *
 * <p>May come again with equal content after a crash: drop it by {@link #position}, as for {@link ScoredEvent}.
 *
 * @param alertId derived from the position and the event's identity, so every retry, restart and replay has the same
 * @param groupBy value of the policy's {@code alerts.group_by} for this event; the account unless declared otherwise
 * @param cooldownMs event-time span after an alert of the same group during which further ones are suppressed; 0: none
 */
public record Alert(
        String alertId,
        String eventId,
        String source,
        String type,
        String account,
        long eventTimeUs,
        long ingestTimeMs,
        SourcePosition position,
        String policy,
        int policyVersion,
        String currency,
        int score,
        Decision decision,
        String groupBy,
        long cooldownMs,
        Map<String, Object> fields,
        List<RuleHit> rules) {
    public Alert {
        fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
        rules = List.copyOf(rules);
    }
}
