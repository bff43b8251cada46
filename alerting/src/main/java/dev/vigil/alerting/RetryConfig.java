package dev.vigil.alerting;

import dev.vigil.config.ConfigNode;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * When a failed attempt is followed by another. The n-th retry waits {@code first × 2^(n−1)}, at most {@code max}, times
 * a random factor from 0.5 to 1.5, so that what failed together does not come back together. With the defaults: 1 s, 2 s,
 * 4 s, … 2.3 h, then every 4 h, about 30 attempts in three days.
 *
 * @param giveUpAfter no attempt starts later than this after the first
 */
public record RetryConfig(Duration first, Duration max, Duration giveUpAfter) {
    public RetryConfig {
        if (first.toMillis() < 1 || max.compareTo(first) < 0) {
            throw new IllegalArgumentException("expected 0 < first <= max, found first " + first + ", max " + max);
        }
    }

    public static RetryConfig defaults() {
        return new RetryConfig(Duration.ofSeconds(1), Duration.ofHours(4), Duration.ofDays(3));
    }

    static RetryConfig from(ConfigNode node) {
        node.knownKeys("first", "max", "give-up-after");
        RetryConfig defaults = defaults();
        Duration first = node.get("first", defaults.first, ConfigNode::duration);
        Duration max = node.get("max", defaults.max, ConfigNode::duration);
        Duration giveUpAfter = node.get("give-up-after", defaults.giveUpAfter, ConfigNode::duration);
        try {
            return new RetryConfig(first, max, giveUpAfter);
        } catch (IllegalArgumentException e) {
            throw node.error(e.getMessage());
        }
    }

    /** @param attemptsMade 1 or more */
    long delayMs(int attemptsMade, RandomGenerator random) {
        int doublings = Math.min(attemptsMade - 1, 40);
        long baseMs = max.toMillis();
        if (first.toMillis() <= baseMs >> doublings) {
            baseMs = first.toMillis() << doublings;
        }
        return baseMs / 2 + (long) (random.nextDouble() * baseMs);
    }
}
