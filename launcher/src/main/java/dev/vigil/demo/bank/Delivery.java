package dev.vigil.demo.bank;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When and why an action is delivered.
 *
 * @param dueMs when it reaches Vigil, epoch milliseconds
 * @param incident the planted fraud that it belongs to; null for ordinary traffic
 */
public record Delivery(
        long dueMs, Timeliness timeliness, @Nullable Incident incident) {
    static Delivery onTime(long dueMs) {
        return new Delivery(dueMs, Timeliness.ON_TIME, null);
    }

    public Optional<Incident> planted() {
        return Optional.ofNullable(incident);
    }
}
