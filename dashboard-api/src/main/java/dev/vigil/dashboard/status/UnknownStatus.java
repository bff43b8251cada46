package dev.vigil.dashboard.status;

import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.ServiceStatus;
import org.jspecify.annotations.Nullable;

/** A service of which nothing but this is known: it does not answer, or speaks of something this version does not know. */
public record UnknownStatus(
        String service, ServiceState state, @Nullable String problem) implements ServiceStatus {}
