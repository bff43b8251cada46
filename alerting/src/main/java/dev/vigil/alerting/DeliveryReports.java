package dev.vigil.alerting;

import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import org.jspecify.annotations.Nullable;

/** What {@code vigil.deliveries} is told. */
final class DeliveryReports {
    private DeliveryReports() {}

    /** @param why reason and case */
    static Delivery suppressed(Alert alert, @Nullable String why, long nowMs) {
        return report(alert, null, 0, Delivery.Outcome.SUPPRESSED, null, why, nowMs, 0);
    }

    static Delivery attempted(
            Alert alert, PendingDelivery delivery, Delivery.Outcome outcome, Answer answer, long attemptedAtMs) {
        return report(
                alert,
                delivery.endpoint(),
                delivery.attemptsMade() + 1,
                outcome,
                answer.statusCode(),
                answer.detail(),
                attemptedAtMs,
                answer.durationMs());
    }

    /** Given up without a further attempt. */
    static Delivery abandoned(Alert alert, PendingDelivery delivery, String why, long nowMs) {
        return report(
                alert,
                delivery.endpoint(),
                delivery.attemptsMade(),
                Delivery.Outcome.GIVEN_UP,
                null,
                "not sent: " + why,
                nowMs,
                0);
    }

    private static Delivery report(
            Alert alert,
            @Nullable String endpoint,
            int attempt,
            Delivery.Outcome outcome,
            @Nullable Integer statusCode,
            @Nullable String detail,
            long attemptedAtMs,
            long durationMs) {
        return new Delivery(
                alert.alertId(),
                alert.account(),
                alert.position(),
                alert.eventTimeUs(),
                alert.ingestTimeMs(),
                endpoint,
                attempt,
                outcome,
                statusCode,
                detail,
                attemptedAtMs,
                durationMs);
    }
}
