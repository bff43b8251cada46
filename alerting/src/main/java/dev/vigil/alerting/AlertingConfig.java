package dev.vigil.alerting;

import dev.vigil.alerting.cases.SuppressionConfig;
import dev.vigil.config.ConfigNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The {@code alerting} section.
 *
 * @param takeOverAfter without a sign of life of the instance that delivers, after which another does; 6 s to 30 min, as brokers
 *     allow by default
 * @param acceptGap go on although the alerts topic no longer reaches back to the outbox's position
 * @param suppression which alerts are not sent, and how long cases last
 * @param apiEndpoints what endpoints that are made by the API may be
 */
public record AlertingConfig(
        List<EndpointConfig> endpoints,
        RetryConfig retry,
        Duration takeOverAfter,
        boolean acceptGap,
        SuppressionConfig suppression,
        ApiEndpointsConfig apiEndpoints) {
    public static final Duration TAKE_OVER_AFTER = Duration.ofSeconds(10);

    public AlertingConfig {
        endpoints = List.copyOf(endpoints);
        Set<String> names = new HashSet<>();
        for (EndpointConfig endpoint : endpoints) {
            if (!names.add(endpoint.name())) {
                throw new IllegalArgumentException("two endpoints have the name " + endpoint.name());
            }
        }
    }

    /** With the defaults of suppression, and without endpoints by the API. */
    public AlertingConfig(
            List<EndpointConfig> endpoints, RetryConfig retry, Duration takeOverAfter, boolean acceptGap) {
        this(endpoints, retry, takeOverAfter, acceptGap, ApiEndpointsConfig.NONE);
    }

    /** With the defaults of suppression. */
    public AlertingConfig(
            List<EndpointConfig> endpoints,
            RetryConfig retry,
            Duration takeOverAfter,
            boolean acceptGap,
            ApiEndpointsConfig apiEndpoints) {
        this(endpoints, retry, takeOverAfter, acceptGap, SuppressionConfig.defaults(), apiEndpoints);
    }

    public static AlertingConfig of(EndpointConfig... endpoints) {
        return new AlertingConfig(List.of(endpoints), RetryConfig.defaults(), TAKE_OVER_AFTER, false);
    }

    /** @throws dev.vigil.config.ConfigException with the place, without any secret or URL */
    public static AlertingConfig from(ConfigNode node) {
        node.knownKeys(Stream.concat(
                        Stream.of(
                                "endpoints",
                                "retry",
                                "take-over-after",
                                "accept-gap",
                                "endpoint-keys",
                                "api-endpoints"),
                        Stream.of(SuppressionConfig.KEYS))
                .toArray(String[]::new));
        List<EndpointConfig> endpoints = new ArrayList<>();
        node.find("endpoints")
                .ifPresent(list -> list.items().forEach(item -> endpoints.add(EndpointConfig.from(item))));
        RetryConfig retry = node.get("retry", RetryConfig.defaults(), RetryConfig::from);
        Duration takeOverAfter = node.get("take-over-after", TAKE_OVER_AFTER, AlertingConfig::takeOverAfter);
        boolean acceptGap = node.get("accept-gap", false, ConfigNode::bool);
        SuppressionConfig suppression = SuppressionConfig.from(node);
        ApiEndpointsConfig apiEndpoints = ApiEndpointsConfig.from(node);
        try {
            return new AlertingConfig(endpoints, retry, takeOverAfter, acceptGap, suppression, apiEndpoints);
        } catch (IllegalArgumentException e) {
            throw node.error(e.getMessage());
        }
    }

    private static Duration takeOverAfter(ConfigNode node) {
        Duration after = node.duration();
        if (after.compareTo(Duration.ofSeconds(6)) < 0 || after.compareTo(Duration.ofMinutes(30)) > 0) {
            throw node.expected("between 6s and 30m");
        }
        return after;
    }
}
