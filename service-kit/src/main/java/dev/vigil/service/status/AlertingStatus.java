package dev.vigil.service.status;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Alert delivery. Counts are part of the outbox and survive a restart; latencies are of this process.
 *
 * @param alerts distinct alerts taken from the topic
 * @param suppressed of these, not sent because of a cooldown, a snooze or quiet rules
 * @param snoozed of the suppressed ones, those because of a snooze
 * @param quiet of the suppressed ones, those that only quiet rules hit
 * @param escalated alerts that were sent although their group cooled down, since they were worse
 * @param unrouted of these, not sent because no endpoint wants them
 * @param delivered alert and endpoint pairs accepted with 2xx
 * @param failedAttempts attempts that were not
 * @param givenUp pairs without a further attempt
 * @param pending pairs still to be delivered
 * @param standingBy whether another instance delivers, and this one would take over
 * @param latency ingest of the event to acceptance by the receiver, since this process started
 */
public record AlertingStatus(
        String service,
        ServiceState state,
        @Nullable String problem,
        long alerts,
        long suppressed,
        long snoozed,
        long quiet,
        long escalated,
        long unrouted,
        long delivered,
        long failedAttempts,
        long givenUp,
        long pending,
        LatencyStatus latency,
        LatencyStatus recentLatency,
        boolean standingBy,
        List<EndpointStatus> endpoints)
        implements ServiceStatus {
    public AlertingStatus {
        endpoints = List.copyOf(endpoints);
    }

    /** One endpoint; its address is not told, since it may hold a secret. */
    public record EndpointStatus(
            String name,
            String state,
            long delivered,
            long failedAttempts,
            long pending,
            @Nullable String lastProblem) {}
}
