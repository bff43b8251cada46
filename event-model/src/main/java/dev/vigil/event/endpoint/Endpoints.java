package dev.vigil.event.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The endpoints that alerts go to. Those of the configuration are shown and tried; those that were made here can be changed
 * as well. What changes something returns once it is stored and in force, so that it holds for every alert that comes later.
 * Safe for any thread; blocks for seconds at most, and for a test as long as the endpoint takes.
 *
 * <p>Every method throws {@link EndpointRefusedException} where there is nothing to return.
 */
public interface Endpoints {
    /** All, by name. */
    List<EndpointView> list();

    EndpointView show(String name);

    /**
     * Makes one.
     *
     * @param definition an object with what an endpoint of the configuration may have, but for {@code secrets} and
     *     {@code allow-private}; words joined by hyphens or underscores
     * @param idempotencyKey the same request with the same key makes one endpoint, and is answered with the same secret
     */
    EndpointWithSecret create(JsonNode definition, @Nullable String idempotencyKey);

    /** @param changes as a definition, without name and channel; null takes a setting back to its default */
    EndpointView change(String name, JsonNode changes);

    /**
     * Gives a webhook's endpoint another secret; until the overlap is over, messages carry a signature of each.
     *
     * @param overlap absent: a day
     * @param idempotencyKey the same key rotates once, and is answered with the same secret
     */
    EndpointWithSecret rotateSecret(String name, @Nullable Duration overlap, @Nullable String idempotencyKey);

    /** Nothing is sent until {@link #resume}; alerts wait. */
    EndpointView pause(String name);

    EndpointView resume(String name);

    /** What waits for it is given up, each alert with a report. */
    void delete(String name);

    /** Sends a message that is no alert, at once and once, also where the endpoint is paused. Counted nowhere. */
    EndpointTest test(String name);

    /**
     * Deliveries that were given up between two times and not accepted since.
     *
     * @param endpoint absent: of every one, also of those that are no more
     * @param fromMs first, ms since the epoch
     * @param toMs not included
     * @param limit most to list
     */
    FailedDeliveries failed(@Nullable String endpoint, long fromMs, long toMs, int limit);

    /**
     * Puts what an endpoint's {@link #failed} tells on its way to it again, with the same ids, as fast as the endpoint's limits allow.
     * What an earlier request put on its way and is not over is left alone.
     *
     * @param dryRun only tells what would be
     */
    Redelivery redeliver(String name, long fromMs, long toMs, boolean dryRun);
}
