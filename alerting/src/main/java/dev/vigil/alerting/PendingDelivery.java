package dev.vigil.alerting;

/**
 * An alert that an endpoint has not accepted yet.
 *
 * @param alertSeq number of the alert in the outbox, in order of acceptance
 * @param attemptsMade attempts that are over
 * @param firstAttemptAtMs 0 before the first; of one that waited for another of its account, when it was accepted: it is not tried for
 *     longer than if it had not waited
 */
public record PendingDelivery(String endpoint, long alertSeq, long dueAtMs, int attemptsMade, long firstAttemptAtMs) {}
