package dev.vigil.alerting;

import java.util.List;
import java.util.Set;

/**
 * The endpoints as they are at a moment.
 *
 * @param endpoints that alerts go to, those that are paused included
 * @param paused names of those that nothing is sent to for now
 * @param deleted names of those that were: what waits for them is given up
 */
public record EndpointSet(List<EndpointConfig> endpoints, Set<String> paused, Set<String> deleted) {
    public EndpointSet {
        endpoints = List.copyOf(endpoints);
        paused = Set.copyOf(paused);
        deleted = Set.copyOf(deleted);
    }

    public static EndpointSet of(List<EndpointConfig> endpoints) {
        return new EndpointSet(endpoints, Set.of(), Set.of());
    }
}
