package dev.vigil.dashboard.intake;

import dev.vigil.config.ConfigNode;
import org.jspecify.annotations.Nullable;

/**
 * The {@code dashboard.intake.kafka} section: events that others write into {@code vigil.intake}.
 *
 * @param enabled whether this process reads the topic; several may, and share its partitions
 * @param maxRecords that are read at a time, and then wait for the broker together
 * @param registry of schemas; absent: values with a schema's id are refused
 */
public record KafkaIntakeConfig(
        boolean enabled, int maxRecords, @Nullable RegistryConfig registry) {
    public static KafkaIntakeConfig defaults() {
        return new KafkaIntakeConfig(true, 500, null);
    }

    static KafkaIntakeConfig from(ConfigNode node) {
        node.knownKeys("enabled", "max-records", "registry");
        KafkaIntakeConfig defaults = defaults();
        return new KafkaIntakeConfig(
                node.get("enabled", defaults.enabled, ConfigNode::bool),
                node.get("max-records", defaults.maxRecords, n -> n.integerBetween(1, 10_000)),
                node.find("registry").map(RegistryConfig::from).orElse(null));
    }
}
