package dev.vigil.dashboard.http;

import dev.vigil.config.ConfigNode;
import java.time.Duration;

/**
 * The {@code dashboard.query} section: bounds on queries over history, which run beside everything else.
 *
 * @param maxRows of a result
 * @param timeout of a query
 * @param concurrent queries at the same time; more are answered 429
 */
public record QueryConfig(int maxRows, Duration timeout, int concurrent) {
    public static QueryConfig defaults() {
        return new QueryConfig(10_000, Duration.ofSeconds(30), 2);
    }

    public static QueryConfig from(ConfigNode node) {
        node.knownKeys("max-rows", "timeout", "concurrent");
        QueryConfig defaults = defaults();
        return new QueryConfig(
                node.get("max-rows", defaults.maxRows, n -> n.integerBetween(1, 1_000_000)),
                node.get("timeout", defaults.timeout, ConfigNode::duration),
                node.get("concurrent", defaults.concurrent, n -> n.integerBetween(1, 64)));
    }
}
