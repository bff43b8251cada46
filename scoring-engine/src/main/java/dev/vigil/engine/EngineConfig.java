package dev.vigil.engine;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.engine.checkpoint.CheckpointTarget;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The {@code scoring} section.
 *
 * @param threads that score, each with its share of the partitions; 1 to 64
 * @param maxPollRecords records per step at most; a step is one batch of state
 * @param maxLiveEvents remembered events kept as objects, over all partitions; about 100 bytes each, and
 *     800 per account, which counts as eight, beside those of accounts in use
 * @param blockCacheBytes of RocksDB for all tasks together
 * @param writeBufferBytes of RocksDB for all tasks together
 * @param checkpointInterval between two checkpoints of a task
 * @param checkpointRetain complete checkpoints kept per task, 1 or more
 * @param checkpointTarget where checkpoints go
 * @param idleAfter without a record after which a partition is told the time by a tick
 * @param firstPolicy in force before the log's first record, for a log that is older than its first activation
 * @param schemaRecords write the types of what follows into the scored topic (docs/formats/scored-event.md); false for
 *     readers that take every record there for a scored event
 * @param acceptGap go on where the log no longer reaches back to the state's position
 */
public record EngineConfig(
        int threads,
        int maxPollRecords,
        long maxLiveEvents,
        long blockCacheBytes,
        long writeBufferBytes,
        Duration checkpointInterval,
        int checkpointRetain,
        CheckpointTarget checkpointTarget,
        Duration idleAfter,
        @Nullable Policy firstPolicy,
        boolean schemaRecords,
        boolean acceptGap) {
    private static final long MIB = 1L << 20;

    /** 2 threads, 64 MiB of cache and of write buffers, a checkpoint each minute below the data directory. */
    public static EngineConfig defaults(Path dataDirectory) {
        return new EngineConfig(
                2,
                1_000,
                3_000_000,
                64 * MIB,
                64 * MIB,
                Duration.ofMinutes(1),
                3,
                new CheckpointTarget.Directory(dataDirectory.resolve("checkpoints")),
                Duration.ofSeconds(30),
                null,
                true,
                false);
    }

    public static EngineConfig from(ConfigNode node, Path dataDirectory) {
        node.knownKeys(
                "threads",
                "max-poll-records",
                "max-live-events",
                "block-cache-mib",
                "write-buffer-mib",
                "checkpoint",
                "idle-after",
                "first-policy",
                "schema-records",
                "accept-gap");
        EngineConfig defaults = defaults(dataDirectory);
        Checkpoints checkpoints = node.get("checkpoint", Checkpoints.of(defaults), n -> Checkpoints.from(n, defaults));
        return new EngineConfig(
                node.get("threads", defaults.threads, n -> n.integerBetween(1, 64)),
                node.get("max-poll-records", defaults.maxPollRecords, n -> n.integerBetween(1, 100_000)),
                node.get("max-live-events", defaults.maxLiveEvents, n -> (long) n.integerBetween(1, Integer.MAX_VALUE)),
                node.get("block-cache-mib", 64, n -> n.integerBetween(1, 1 << 20)) * MIB,
                node.get("write-buffer-mib", 64, n -> n.integerBetween(1, 1 << 20)) * MIB,
                checkpoints.interval,
                checkpoints.retain,
                checkpoints.target,
                node.get("idle-after", defaults.idleAfter, EngineConfig::atLeastOneSecond),
                node.find("first-policy").map(EngineConfig::policy).orElse(null),
                node.get("schema-records", true, ConfigNode::bool),
                node.get("accept-gap", false, ConfigNode::bool));
    }

    private static Policy policy(ConfigNode node) {
        try {
            return Policies.check(node.text(), ConfigDocument.readText(Path.of(node.text())));
        } catch (ConfigException e) {
            throw node.error(e.getMessage());
        }
    }

    private static Duration atLeastOneSecond(ConfigNode node) {
        Duration duration = node.duration();
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            throw node.expected("1s or more");
        }
        return duration;
    }

    private record Checkpoints(Duration interval, int retain, CheckpointTarget target) {
        static Checkpoints of(EngineConfig config) {
            return new Checkpoints(config.checkpointInterval, config.checkpointRetain, config.checkpointTarget);
        }

        static Checkpoints from(ConfigNode node, EngineConfig defaults) {
            node.knownKeys("interval", "retain", "storage", "s3");
            return new Checkpoints(
                    node.get("interval", defaults.checkpointInterval, EngineConfig::atLeastOneSecond),
                    node.get("retain", defaults.checkpointRetain, n -> n.integerBetween(1, 1_000)),
                    CheckpointTargets.from(node, defaults.checkpointTarget));
        }
    }
}
