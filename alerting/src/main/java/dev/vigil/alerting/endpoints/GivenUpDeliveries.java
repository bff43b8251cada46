package dev.vigil.alerting.endpoints;

import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What topics know of deliveries that were given up, and of their alerts. Safe for any thread; blocks while it reads. */
public interface GivenUpDeliveries {
    /** More of them are not held at a time. */
    int MAX = 200_000;

    /** An alert as it stands in the topic. */
    record TopicAlert(Alert alert, byte[] json) {}

    /**
     * The last reports of deliveries that were given up between two times and not accepted since; in no order.
     *
     * @param endpoint absent: of every one
     * @param fromMs first, ms since the epoch
     * @param toMs not included
     * @throws dev.vigil.event.endpoint.EndpointRefusedException if there are more than {@value #MAX}, or the broker takes too long
     */
    List<Delivery> find(@Nullable String endpoint, long fromMs, long toMs);

    /**
     * The alerts of these ids, each once, those of an account in their order.
     *
     * @param sinceMs none of them was published before, ms since the epoch
     * @param each gets some at a time
     * @throws dev.vigil.event.endpoint.EndpointRefusedException if the broker takes too long
     */
    void alerts(Set<String> alertIds, long sinceMs, Consumer<List<TopicAlert>> each);
}
