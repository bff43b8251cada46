package dev.vigil.alerting;

import java.util.function.Consumer;

/** Carries messages to endpoints. */
public interface Transport extends AutoCloseable {
    /**
     * From now on messages to the endpoint go there, in this way. Attempts under way end as they began.
     *
     * @throws dev.vigil.service.ServiceException if its certificates cannot be read; then all stays as it was
     */
    void use(EndpointConfig endpoint);

    /** There is no such endpoint any more. Attempts under way end as they began. */
    void forget(String endpoint);

    /**
     * Begins an attempt and returns at once. {@code whenDone} is called exactly once, on a thread of the transport; it
     * must not block. The caller keeps to each endpoint's {@code maxInFlight}, so nothing queues up here.
     *
     * @param endpoint name of a configured endpoint
     */
    void send(String endpoint, AlertMessage message, Consumer<Answer> whenDone);

    /** Breaks off what is under way; its {@code whenDone} is called with a failure. Idempotent. */
    @Override
    void close();
}
