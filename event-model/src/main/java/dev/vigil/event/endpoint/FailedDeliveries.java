package dev.vigil.event.endpoint;

import java.util.List;

/**
 * Deliveries that were given up, the latest first.
 *
 * @param total how many there are, also where the list is shorter
 */
public record FailedDeliveries(List<FailedDelivery> deliveries, int total) {
    public FailedDeliveries {
        deliveries = List.copyOf(deliveries);
    }
}
