package dev.vigil.dashboard.intake;

import dev.vigil.event.EventEnvelope;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The log, as the intake writes to it. Safe for any thread. */
public interface EventLog {
    /**
     * Appends the events in order. Completes when every one of them is stored for good; fails with
     * {@link EventLogException} when that is not known of all, once it is known of each whether it is. Send all again then:
     * the engine drops duplicates by (source, id).
     */
    CompletableFuture<Void> append(List<EventEnvelope> events);
}
