package dev.vigil.service;

import dev.vigil.service.status.ServiceStatus;

/**
 * One of Vigil's services, running on threads of its own. Called by the launcher: {@link #start} once, {@link #status}
 * from any thread at any time, {@link #close} once, also after a failed start.
 */
public interface VigilService extends AutoCloseable {
    /** Starts the service's threads and returns when its start-up checks have passed; work goes on in the background. */
    void start();

    ServiceStatus status();

    /** Finishes what is in hand, stops the threads and releases every resource. Idempotent. */
    @Override
    void close();
}
