package dev.vigil.service.status;

import org.jspecify.annotations.Nullable;

/** What every service tells of itself. */
public interface ServiceStatus {
    /** Name as in {@code --only}: cdc-ingest, scoring-engine, alerting, lakehouse-sink, dashboard-api. */
    String service();

    ServiceState state();

    /** Why it is not running, in one line; absent while it is. */
    @Nullable
    String problem();
}
