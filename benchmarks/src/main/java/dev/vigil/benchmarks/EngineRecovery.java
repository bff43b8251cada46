package dev.vigil.benchmarks;

import dev.vigil.event.Json;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.kafka.KafkaClients;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long an engine with a large state takes, after kill -9 under traffic, from the start of its new process until it has
 * caught up. Caught up means that what the log has and readers of the scores do not is at most a tenth of a second's
 * traffic. State is on the local disk.
 */
@Command(
        name = "engine-recovery",
        mixinStandardHelpOptions = true,
        description =
                "Measures the time from an engine's start after kill -9 until it has caught up; status 0 only if each"
                        + " time is below the limit.")
public final class EngineRecovery implements Callable<Integer> {
    private static final Duration POLL = Duration.ofMillis(10);

    @Option(
            names = "--accounts",
            defaultValue = "1000000",
            description = "with state; no multiple of 7919 (default ${DEFAULT-VALUE})")
    private int accounts;

    @Option(
            names = "--history",
            defaultValue = "1000000",
            description = "events beyond the first one of each account (default ${DEFAULT-VALUE})")
    private long history;

    @Option(
            names = "--rate",
            defaultValue = "1000",
            description = "events per second all the while (default ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--kills", defaultValue = "5", description = "times (default ${DEFAULT-VALUE})")
    private int kills;

    @Option(
            names = "--between",
            defaultValue = "10",
            description = "seconds from one recovery to the next kill, at most (default ${DEFAULT-VALUE})")
    private int betweenSeconds;

    @Option(names = "--limit", defaultValue = "10", description = "seconds (default ${DEFAULT-VALUE})")
    private double limitSeconds;

    @Option(names = "--partitions", defaultValue = "4", description = "of the log (default ${DEFAULT-VALUE})")
    private int partitions;

    @Option(names = "--threads", defaultValue = "2", description = "that score (default ${DEFAULT-VALUE})")
    private int threads;

    @Option(names = "--seed", defaultValue = "42", description = "of events and moments (default ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--engine-jvm",
            split = " ",
            defaultValue = "-Xmx1g -XX:+UseParallelGC",
            description = "options of the engine's JVM (default ${DEFAULT-VALUE})")
    private List<String> engineJvm = List.of();

    public static void main(String[] args) {
        System.exit(new CommandLine(new EngineRecovery()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        double longest = 0;
        try (Rig rig = Rig.start(partitions)) {
            CardStream stream = new CardStream(seed, accounts);
            rig.load(() -> stream.next((int) stream.count()), accounts);
            rig.load(stream, history);
            rig.startEngine(threads, engineJvm);
            try (KafkaConsumer<byte[], byte[]> reader =
                    KafkaClients.consumer(rig.kafka(), "benchmark-reader", Map.of())) {
                List<TopicPartition> scored = rig.partitions(rig.topics().scored());
                reader.assign(scored);
                reader.seekToBeginning(scored);
                long[] passed = new long[partitions];
                awaitCaughtUp(rig, reader, passed, 0);
                try (SteadyTraffic traffic = SteadyTraffic.start(rig, stream, rate)) {
                    longest = killAndAwait(rig, reader, passed);
                }
            }
        }
        EngineThroughput.line(
                "longest recovery", "%.2f s with %d accounts (limit %.2f s)", longest, accounts, limitSeconds);
        return longest < limitSeconds ? 0 : 1;
    }

    private double killAndAwait(Rig rig, KafkaConsumer<byte[], byte[]> reader, long[] passed)
            throws IOException, InterruptedException, ExecutionException {
        double longest = 0;
        Random random = new Random(seed);
        for (int kill = 1; kill <= kills; kill++) {
            readFor(rig, reader, passed, random.nextInt(betweenSeconds * 1_000));
            rig.killEngine();
            long startNs = System.nanoTime();
            rig.startEngine(threads, engineJvm);
            long atKill = Arrays.stream(rig.ends(rig.topics().events())).sum();
            awaitCaughtUp(rig, reader, passed, atKill + rate / 10);
            double seconds = (System.nanoTime() - startNs) / 1e9;
            longest = Math.max(longest, seconds);
            EngineThroughput.line("recovery " + kill, "%.2f s", seconds);
        }
        return longest;
    }

    private void readFor(Rig rig, KafkaConsumer<byte[], byte[]> reader, long[] passed, int ms) {
        long endNs = System.nanoTime() + ms * 1_000_000L;
        while (System.nanoTime() < endNs) {
            rig.requireEngine();
            read(reader, passed);
        }
    }

    /** @param least records of the log that must have been scored, so that those before the kill do not count */
    private void awaitCaughtUp(Rig rig, KafkaConsumer<byte[], byte[]> reader, long[] passed, long least)
            throws InterruptedException, ExecutionException {
        long[] ends;
        do {
            rig.requireEngine();
            ends = rig.ends(rig.topics().events());
            read(reader, passed);
        } while (Arrays.stream(passed).sum()
                < Math.max(least, Arrays.stream(ends).sum() - rate / 10));
    }

    /** @param passed by partition, the offset after the furthest record of the log whose score was read */
    private static void read(KafkaConsumer<byte[], byte[]> reader, long[] passed) {
        for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
            SourcePosition position =
                    Json.mapper().convertValue(Json.decodeObject(record.value()).get("position"), SourcePosition.class);
            long next = position.offset() + 1;
            passed[record.partition()] = Math.max(passed[record.partition()], next);
        }
    }
}
