package dev.vigil.dashboard.intake;

import dev.vigil.config.ConfigNode;
import java.util.List;

/**
 * The {@code dashboard.intake.rate-limit} section: how much one client may send.
 *
 * @param eventsPerSecond on average; 0: no limit
 * @param burst events that may come at once after a pause
 * @param trustedProxies whose {@code X-Forwarded-For} tells the client; empty: the header is not looked at
 */
public record RateLimitConfig(int eventsPerSecond, int burst, List<AddressRange> trustedProxies) {
    public RateLimitConfig {
        trustedProxies = List.copyOf(trustedProxies);
    }

    private static final int EVENTS_PER_SECOND = 10_000;

    /** @param maxEvents of a batch, which a burst must have room for */
    static RateLimitConfig defaults(int maxEvents) {
        return new RateLimitConfig(EVENTS_PER_SECOND, burst(EVENTS_PER_SECOND, maxEvents), List.of());
    }

    private static int burst(int eventsPerSecond, int maxEvents) {
        return Math.max(maxEvents, 2 * eventsPerSecond);
    }

    /** @param maxEvents as for {@link #defaults} */
    static RateLimitConfig from(ConfigNode node, int maxEvents) {
        node.knownKeys("events-per-second", "burst", "trusted-proxies");
        int eventsPerSecond = node.get("events-per-second", EVENTS_PER_SECOND, n -> n.integerBetween(0, 10_000_000));
        return new RateLimitConfig(
                eventsPerSecond,
                node.get("burst", burst(eventsPerSecond, maxEvents), n -> n.integerBetween(maxEvents, 100_000_000)),
                node.get(
                        "trusted-proxies",
                        List.of(),
                        n -> n.items().stream().map(RateLimitConfig::range).toList()));
    }

    private static AddressRange range(ConfigNode node) {
        return node.read("an address or a network such as 10.0.0.0/8", AddressRange::parse);
    }
}
