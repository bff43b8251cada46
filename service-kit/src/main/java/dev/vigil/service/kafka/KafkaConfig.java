package dev.vigil.service.kafka;

import dev.vigil.config.ConfigNode;
import dev.vigil.event.TopicNames;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The {@code kafka} section: how to reach the broker and how to create Vigil's topics.
 *
 * @param partitions of the log and the topics beside it; raising it later moves accounts away from their state, so it is
 *     refused
 * @param retention of the log and of what is derived from it
 * @param properties given to every client as they are, such as security settings, without those that Vigil sets itself; never
 *     logged
 */
public record KafkaConfig(
        String bootstrapServers,
        TopicNames topics,
        int partitions,
        short replicationFactor,
        short minInsyncReplicas,
        Duration retention,
        Map<String, String> properties) {
    public KafkaConfig {
        properties = Map.copyOf(properties);
        if (minInsyncReplicas > replicationFactor) {
            throw new IllegalArgumentException("min-insync-replicas " + minInsyncReplicas
                    + " is more than replication-factor " + replicationFactor);
        }
    }

    /** A single local broker: 4 partitions, no replication, 30 days. */
    public static KafkaConfig local(String bootstrapServers) {
        return new KafkaConfig(
                bootstrapServers, new TopicNames("vigil"), 4, (short) 1, (short) 1, Duration.ofDays(30), Map.of());
    }

    public static KafkaConfig from(ConfigNode node) {
        node.knownKeys(
                "bootstrap-servers",
                "topic-prefix",
                "topics",
                "partitions",
                "replication-factor",
                "min-insync-replicas",
                "retention",
                "properties");
        int replicationFactor = node.get("replication-factor", 3, n -> n.integerBetween(1, 16));
        int minInsyncReplicas =
                node.get("min-insync-replicas", Math.max(1, replicationFactor - 1), n -> n.integerBetween(1, 16));
        if (minInsyncReplicas > replicationFactor) {
            throw node.require("min-insync-replicas").expected("at most replication-factor " + replicationFactor);
        }
        return new KafkaConfig(
                bootstrapServers(node.require("bootstrap-servers")),
                topics(node),
                node.get("partitions", 12, n -> n.integerBetween(1, 1_000)),
                (short) replicationFactor,
                (short) minInsyncReplicas,
                node.get("retention", Duration.ofDays(30), ConfigNode::duration),
                node.get("properties", Map.of(), KafkaConfig::properties));
    }

    private static String bootstrapServers(ConfigNode node) {
        var unused = node.read("host:port, or several with commas between them", BrokerAddresses::parse);
        return node.text();
    }

    private static Map<String, String> properties(ConfigNode section) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String key : section.keys()) {
            ConfigNode value = section.require(key);
            OwnSettings.reason(key).ifPresent(reason -> {
                throw value.keyError("Vigil sets this itself, since " + reason + "; leave '" + key + "' out");
            });
            properties.put(key, value.text());
        }
        return properties;
    }

    private static TopicNames topics(ConfigNode node) {
        TopicNames byPrefix = node.get(
                "topic-prefix",
                new TopicNames("vigil"),
                n -> n.read("a topic prefix of letters, digits, - and _", TopicNames::new));
        return node.find("topics")
                .map(section -> {
                    section.knownKeys(TopicNames.ROLES.toArray(new String[0]));
                    Map<String, String> named = new LinkedHashMap<>();
                    section.keys()
                            .forEach(role ->
                                    named.put(role, section.require(role).text()));
                    try {
                        return new TopicNames(byPrefix.prefix(), named);
                    } catch (IllegalArgumentException e) {
                        throw section.error(e.getMessage());
                    }
                })
                .orElse(byPrefix);
    }

    @Override
    public String toString() {
        return "KafkaConfig[" + bootstrapServers + ", prefix " + topics.prefix() + ", " + partitions + " partitions]";
    }
}
