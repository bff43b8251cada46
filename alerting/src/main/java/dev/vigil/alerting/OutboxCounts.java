package dev.vigil.alerting;

import dev.vigil.event.Delivery;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** Totals since the outbox was created; stored with what they count. */
public record OutboxCounts(IntakeBatch.Counts intake, Map<String, EndpointCounts> endpoints) {
    public static final OutboxCounts ZERO = new OutboxCounts(IntakeBatch.Counts.ZERO, Map.of());

    public OutboxCounts {
        endpoints = Collections.unmodifiableMap(new TreeMap<>(endpoints));
    }

    public EndpointCounts endpoint(String name) {
        return endpoints.getOrDefault(name, EndpointCounts.ZERO);
    }

    public OutboxCounts plus(IntakeBatch batch) {
        Map<String, EndpointCounts> sums = new TreeMap<>(endpoints);
        for (IntakeBatch.RoutedAlert alert : batch.alerts()) {
            alert.endpoints().forEach(name -> sums.merge(name, EndpointCounts.ONE_ROUTED, EndpointCounts::plus));
        }
        return new OutboxCounts(intake.plus(batch.counts()), sums);
    }

    /** @param report of an attempt at the delivery, or that it is given up without a further one */
    public OutboxCounts plus(PendingDelivery delivery, Delivery report) {
        Map<String, EndpointCounts> sums = new TreeMap<>(endpoints);
        boolean attempted = report.attempt() > delivery.attemptsMade();
        sums.merge(delivery.endpoint(), EndpointCounts.one(report.outcome(), attempted), EndpointCounts::plus);
        return new OutboxCounts(intake, sums);
    }

    /** A delivery that another instance ended so; it is among the routed ones already. */
    public OutboxCounts plusSettled(String endpoint, Delivery.Outcome outcome) {
        Map<String, EndpointCounts> sums = new TreeMap<>(endpoints);
        sums.merge(endpoint, EndpointCounts.one(outcome, false), EndpointCounts::plus);
        return new OutboxCounts(intake, sums);
    }

    /** Deliveries that are to be made once more. */
    public OutboxCounts plusRedelivered(String endpoint, int count) {
        Map<String, EndpointCounts> sums = new TreeMap<>(endpoints);
        sums.merge(endpoint, new EndpointCounts(count, 0, 0, 0, count), EndpointCounts::plus);
        return new OutboxCounts(intake, sums);
    }

    /**
     * Of one endpoint.
     *
     * @param routed alerts that it is to get, once for each time
     * @param redelivered of them those that somebody asked for once more
     * @param failedAttempts attempts that were not accepted, last ones before giving up included
     */
    public record EndpointCounts(long routed, long delivered, long failedAttempts, long givenUp, long redelivered) {
        public static final EndpointCounts ZERO = new EndpointCounts(0, 0, 0, 0, 0);
        static final EndpointCounts ONE_ROUTED = new EndpointCounts(1, 0, 0, 0, 0);

        static EndpointCounts one(Delivery.Outcome outcome, boolean attempted) {
            return switch (outcome) {
                case DELIVERED -> new EndpointCounts(0, 1, 0, 0, 0);
                case FAILED -> new EndpointCounts(0, 0, 1, 0, 0);
                case GIVEN_UP -> new EndpointCounts(0, 0, attempted ? 1 : 0, 1, 0);
                case SUPPRESSED -> throw new IllegalArgumentException("a suppressed alert has no endpoint");
            };
        }

        public long pending() {
            return routed - delivered - givenUp;
        }

        EndpointCounts plus(EndpointCounts other) {
            return new EndpointCounts(
                    routed + other.routed,
                    delivered + other.delivered,
                    failedAttempts + other.failedAttempts,
                    givenUp + other.givenUp,
                    redelivered + other.redelivered);
        }
    }
}
