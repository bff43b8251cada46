package dev.vigil.alerting.cases;

import java.util.Locale;

/** Why nobody is told of an alert. */
public enum SuppressionReason {
    /** No endpoint wants it. Counted as unrouted, not as suppressed. */
    UNROUTED,
    /** All rules that hit are quiet ones. */
    QUIET,
    /** Somebody has snoozed its case. */
    SNOOZE,
    /** Another alert of its group was sent shortly before, and it is not worse. */
    COOLDOWN;

    /** Lower-case name, as cases, deliveries and metrics spell it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
