package dev.vigil.backtest;

import dev.vigil.scoring.policy.Policy;
import java.util.HashMap;
import java.util.Map;

/**
 * Counts the alerts that the policy's cooldown lets through, as alerting decides it live: an alert is suppressed if the
 * sent alert of its group with the largest event time is less than a cooldown away, before or after; a suppressed one
 * does not prolong the cooldown. Memory grows with the groups that alert.
 */
final class Cooldown {
    private final long cooldownUs;
    private final Map<String, Long> sentUs = new HashMap<>();
    private long sent;

    Cooldown(Policy policy) {
        cooldownUs = policy.alerts().cooldownMs() * 1_000;
    }

    /** Takes an alert in log order. */
    void add(String group, long eventTimeUs) {
        if (cooldownUs == 0) {
            sent++;
            return;
        }
        Long last = sentUs.get(group);
        if (last != null && Math.abs(eventTimeUs - last) < cooldownUs) {
            return;
        }
        sent++;
        if (last == null || last < eventTimeUs) {
            sentUs.put(group, eventTimeUs);
        }
    }

    long sent() {
        return sent;
    }
}
