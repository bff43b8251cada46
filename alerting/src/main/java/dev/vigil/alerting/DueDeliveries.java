package dev.vigil.alerting;

import java.util.List;
import java.util.OptionalLong;

/**
 * Deliveries of an endpoint that are due, earliest first.
 *
 * @param nextDueAtMs when the first one after them is due; empty if there is none, or the limit cut the list short
 */
public record DueDeliveries(List<PendingDelivery> due, OptionalLong nextDueAtMs) {
    public DueDeliveries {
        due = List.copyOf(due);
    }
}
