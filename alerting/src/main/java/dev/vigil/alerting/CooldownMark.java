package dev.vigil.alerting;

import dev.vigil.event.Alert;

/**
 * The alert of a group that was sent and has the largest event time of those: it suppresses what follows within the
 * cooldown.
 *
 * @param partition of the log, whose event time lets the mark expire
 * @param expiresAtUs event time of the partition from which on nothing that the mark could suppress is expected
 */
public record CooldownMark(Group group, int partition, String alertId, long eventTimeUs, long expiresAtUs) {
    /** Marks outlive their cooldown by this much event time, for alerts that come out of order. */
    private static final long OUT_OF_ORDER_US = 24 * 3_600_000_000L;

    /** Ten years; keeps the sums far from overflow. */
    private static final long MAX_COOLDOWN_MS = 10 * 365 * 86_400_000L;

    /** What cools down together: a value of the policy's {@code group_by}, whatever the policy's version. */
    public record Group(String policy, String value) {
        static Group of(Alert alert) {
            return new Group(alert.policy(), alert.groupBy());
        }
    }

    static CooldownMark of(Alert alert) {
        long expiresAtUs = alert.eventTimeUs() + cooldownUs(alert) + OUT_OF_ORDER_US;
        return new CooldownMark(
                Group.of(alert), alert.position().partition(), alert.alertId(), alert.eventTimeUs(), expiresAtUs);
    }

    /**
     * Whether the alert lies within its own cooldown of this mark: {@code |t − mark| < cooldown}. So with 15 m and a
     * mark at 12:00, an alert of 12:14:59 is suppressed and one of 12:15:00 is sent. Out of order, one of 11:50 that
     * comes later is suppressed as well, since the group has just been told of; one of 11:45 is sent.
     */
    boolean suppresses(Alert alert) {
        return Math.abs(alert.eventTimeUs() - eventTimeUs) < cooldownUs(alert);
    }

    private static long cooldownUs(Alert alert) {
        return Math.min(alert.cooldownMs(), MAX_COOLDOWN_MS) * 1_000;
    }
}
