package dev.vigil.cdc;

import dev.vigil.config.ConfigNode;
import java.time.Duration;

/**
 * How rows wait for the row that has their account.
 *
 * @param patience how long, by the database's own commits and heartbeats; then the row goes to the dead letters
 * @param maxWaiting rows at a time; one more sends the one that waits longest to the dead letters
 */
public record LookupConfig(Duration patience, int maxWaiting) {

    public static LookupConfig defaults() {
        return new LookupConfig(Duration.ofMinutes(1), 10_000);
    }

    static LookupConfig from(ConfigNode node) {
        node.knownKeys("wait", "max-waiting");
        LookupConfig defaults = defaults();
        return new LookupConfig(
                node.get("wait", defaults.patience(), ConfigNode::duration),
                node.get("max-waiting", defaults.maxWaiting(), n -> n.integerBetween(1, 1_000_000)));
    }
}
