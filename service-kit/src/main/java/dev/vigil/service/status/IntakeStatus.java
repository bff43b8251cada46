package dev.vigil.service.status;

import org.jspecify.annotations.Nullable;

/**
 * HTTP intake and API, and Kafka intake.
 *
 * @param accepted events that the log acknowledged
 * @param refused events answered with 4xx
 * @param liveClients open event streams
 * @param kafka absent where this process reads no intake topic
 */
public record IntakeStatus(
        String service,
        ServiceState state,
        @Nullable String problem,
        long accepted,
        long refused,
        int liveClients,
        @Nullable KafkaIntakeStatus kafka)
        implements ServiceStatus {}
