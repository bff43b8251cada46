package dev.vigil.alerting;

/**
 * An alert that an endpoint has not accepted yet.
 *
 * @param alertSeq number of the alert in the outbox, in order of acceptance
 * @param attemptsMade attempts that are over
 * @param firstAttemptAtMs 0 before the first
 */
public record PendingDelivery(String endpoint, long alertSeq, long dueAtMs, int attemptsMade, long firstAttemptAtMs) {}
