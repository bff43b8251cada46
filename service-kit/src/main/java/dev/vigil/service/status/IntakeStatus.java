package dev.vigil.service.status;

import org.jspecify.annotations.Nullable;

/**
 * HTTP intake and API.
 *
 * @param accepted events that the log acknowledged
 * @param refused events answered with 4xx
 * @param liveClients open event streams
 */
public record IntakeStatus(
        String service, ServiceState state, @Nullable String problem, long accepted, long refused, int liveClients)
        implements ServiceStatus {}
