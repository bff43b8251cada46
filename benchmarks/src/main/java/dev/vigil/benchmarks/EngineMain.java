package dev.vigil.benchmarks;

import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.checkpoint.CheckpointTarget;
import dev.vigil.engine.kafka.ScoringEngine;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.KafkaConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * An engine alone in its process. Arguments: bootstrap servers, topic prefix, partitions, threads, data directory, seconds
 * between two checkpoints.
 */
final class EngineMain {
    private EngineMain() {}

    public static void main(String[] args) throws InterruptedException {
        Path data = Path.of(args[4]);
        KafkaConfig kafka = kafka(args[0], args[1], Integer.parseInt(args[2]));
        ScoringEngine engine = new ScoringEngine(
                kafka,
                config(data, Integer.parseInt(args[3]), Duration.ofSeconds(Long.parseLong(args[5]))),
                data,
                System::currentTimeMillis,
                new SimpleMeterRegistry());
        Runtime.getRuntime().addShutdownHook(new Thread(engine::close, "benchmark-shutdown"));
        engine.start();
        new CountDownLatch(1).await();
    }

    static KafkaConfig kafka(String bootstrapServers, String prefix, int partitions) {
        return new KafkaConfig(
                bootstrapServers,
                new TopicNames(prefix),
                partitions,
                (short) 1,
                (short) 1,
                Duration.ofDays(3_650),
                Map.of());
    }

    /** Where an engine with that data directory puts its checkpoints, in a folder for each partition. */
    static Path checkpoints(Path data) {
        return data.resolve("checkpoints");
    }

    private static EngineConfig config(Path data, int threads, Duration checkpointInterval) {
        EngineConfig defaults = EngineConfig.defaults(data);
        return new EngineConfig(
                threads,
                defaults.maxPollRecords(),
                defaults.maxLiveEvents(),
                defaults.blockCacheBytes(),
                defaults.writeBufferBytes(),
                checkpointInterval,
                defaults.checkpointRetain(),
                new CheckpointTarget.Directory(checkpoints(data)),
                defaults.idleAfter(),
                defaults.firstPolicy(),
                defaults.schemaRecords(),
                defaults.acceptGap());
    }
}
