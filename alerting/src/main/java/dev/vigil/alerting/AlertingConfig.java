package dev.vigil.alerting;

import dev.vigil.config.ConfigNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The {@code alerting} section.
 *
 * @param acceptGap go on although the alerts topic no longer reaches back to the outbox's position
 */
public record AlertingConfig(List<EndpointConfig> endpoints, RetryConfig retry, boolean acceptGap) {
    public AlertingConfig {
        endpoints = List.copyOf(endpoints);
        Set<String> names = new HashSet<>();
        for (EndpointConfig endpoint : endpoints) {
            if (!names.add(endpoint.name())) {
                throw new IllegalArgumentException("two endpoints have the name " + endpoint.name());
            }
        }
    }

    public static AlertingConfig of(EndpointConfig... endpoints) {
        return new AlertingConfig(List.of(endpoints), RetryConfig.defaults(), false);
    }

    /** @throws dev.vigil.config.ConfigException with the place, without any secret or URL */
    public static AlertingConfig from(ConfigNode node) {
        node.knownKeys("endpoints", "retry", "accept-gap");
        List<EndpointConfig> endpoints = new ArrayList<>();
        node.find("endpoints")
                .ifPresent(list -> list.items().forEach(item -> endpoints.add(EndpointConfig.from(item))));
        RetryConfig retry = node.get("retry", RetryConfig.defaults(), RetryConfig::from);
        boolean acceptGap = node.get("accept-gap", false, ConfigNode::bool);
        try {
            return new AlertingConfig(endpoints, retry, acceptGap);
        } catch (IllegalArgumentException e) {
            throw node.error(e.getMessage());
        }
    }
}
