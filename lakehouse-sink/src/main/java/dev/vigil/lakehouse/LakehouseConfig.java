package dev.vigil.lakehouse;

import dev.vigil.config.ConfigNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of history: where it lives and how often it is committed.
 *
 * @param commitInterval longest time that a row waits for its commit
 * @param commitRows rows after which a table is committed earlier
 * @param openPartitions day partitions with an open file at a time; one more closes the one that was idle longest
 * @param acceptGap go on from what the topic still holds where it no longer reaches back to the table's position; else
 *     the sink stops with the gap named
 * @param warehouse location of the tables, a path or {@code file:} or another scheme that the catalog can write; absent:
 *     {@code warehouse} under the data directory
 */
public record LakehouseConfig(
        Duration commitInterval,
        int commitRows,
        int openPartitions,
        boolean acceptGap,
        @Nullable String warehouse,
        Catalog catalog) {
    public LakehouseConfig {
        if (commitInterval.isNegative() || commitInterval.isZero()) {
            throw new IllegalArgumentException("commit-interval must be more than 0, found " + commitInterval);
        }
        if (commitRows < 1 || openPartitions < 1) {
            throw new IllegalArgumentException(
                    "commit-rows " + commitRows + " and open-partitions " + openPartitions + " must be 1 or more");
        }
    }

    /** Every minute into the embedded catalog. */
    public static LakehouseConfig defaults() {
        return new LakehouseConfig(Duration.ofSeconds(60), 500_000, 16, false, null, Catalog.embedded());
    }

    public static LakehouseConfig from(ConfigNode node) {
        node.knownKeys("commit-interval", "commit-rows", "open-partitions", "accept-gap", "warehouse", "catalog");
        LakehouseConfig defaults = defaults();
        Duration commitInterval = node.get("commit-interval", defaults.commitInterval, ConfigNode::duration);
        if (commitInterval.isZero()) {
            throw node.require("commit-interval").expected("a duration of more than 0");
        }
        return new LakehouseConfig(
                commitInterval,
                node.get("commit-rows", defaults.commitRows, n -> n.integerBetween(1, 10_000_000)),
                node.get("open-partitions", defaults.openPartitions, n -> n.integerBetween(1, 1_000)),
                node.get("accept-gap", defaults.acceptGap, ConfigNode::bool),
                node.find("warehouse").map(ConfigNode::text).orElse(null),
                node.get("catalog", defaults.catalog, Catalog::from));
    }

    /** The same with another commit interval. */
    public LakehouseConfig withCommitInterval(Duration interval) {
        return new LakehouseConfig(interval, commitRows, openPartitions, acceptGap, warehouse, catalog);
    }

    /**
     * An Iceberg catalog as Iceberg itself describes one.
     *
     * @param name part of every table's key in some catalogs: all who share the tables use the same
     * @param properties passed on as they are, such as {@code type}, {@code uri}, {@code io-impl}; empty: the embedded
     *     JDBC catalog on SQLite under the data directory. May hold secrets; never logged
     */
    public record Catalog(String name, Map<String, String> properties) {
        private static final String DEFAULT_NAME = "vigil";

        public Catalog {
            properties = Map.copyOf(properties);
        }

        public static Catalog embedded() {
            return new Catalog(DEFAULT_NAME, Map.of());
        }

        static Catalog from(ConfigNode node) {
            Map<String, String> properties = new LinkedHashMap<>();
            for (String key : node.keys()) {
                if (!key.equals("name")) {
                    properties.put(key, node.require(key).text());
                }
            }
            if (!properties.isEmpty() && !properties.containsKey("type") && !properties.containsKey("catalog-impl")) {
                throw node.error("missing 'type' (jdbc, rest, ...) or 'catalog-impl' (a class name)");
            }
            return new Catalog(node.get("name", DEFAULT_NAME, ConfigNode::text), properties);
        }

        public boolean isEmbedded() {
            return properties.isEmpty();
        }

        @Override
        public String toString() {
            return "Catalog[" + name + (isEmbedded() ? ", embedded" : ", " + new TreeSet<>(properties.keySet())) + "]";
        }
    }
}
