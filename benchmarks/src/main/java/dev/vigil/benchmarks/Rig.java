package dev.vigil.benchmarks;

import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.engine.checkpoint.CheckpointManifest;
import dev.vigil.engine.kafka.PolicyPublisher;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Json;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** A broker and an engine, each a process of its own, in a directory that is removed in the end. One thread. */
final class Rig implements AutoCloseable {
    private final Path directory;
    private final EmbeddedKafkaProcess broker;
    private final KafkaConfig kafka;
    private final Admin admin;
    private @Nullable Process engine;

    private Rig(Path directory, EmbeddedKafkaProcess broker, KafkaConfig kafka) {
        this.directory = directory;
        this.broker = broker;
        this.kafka = kafka;
        this.admin = KafkaClients.admin(kafka, "benchmark-admin");
    }

    static Rig start(int partitions) {
        try {
            Path directory = Files.createTempDirectory("vigil-benchmark");
            EmbeddedKafkaProcess broker = EmbeddedKafkaProcess.start(directory.resolve("broker"));
            Rig rig = new Rig(directory, broker, EngineMain.kafka(broker.bootstrapServers(), "bench", partitions));
            TopicSetup.ensure(rig.admin, rig.kafka);
            new PolicyPublisher(rig.kafka).activate(VelocityPolicy.read(), 1);
            return rig;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removed with all that is in it. */
    Path directory() {
        return directory;
    }

    KafkaConfig kafka() {
        return kafka;
    }

    TopicNames topics() {
        return kafka.topics();
    }

    ProcessMeter brokerMeter() {
        return new ProcessMeter(broker.pid());
    }

    /** Puts the next events of the stream into the log, as fast as it goes. */
    void load(CardStream stream, long events) {
        load(stream::next, events);
    }

    /** As the other. */
    void load(Supplier<EventEnvelope> stream, long events) {
        Map<String, Object> bulk =
                Map.of(ProducerConfig.LINGER_MS_CONFIG, 20, ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10);
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "benchmark-load", bulk)) {
            for (long i = 0; i < events; i++) {
                var unused = producer.send(EventRecords.keyed(topics().events(), stream.get()));
            }
        }
    }

    /** With a checkpoint each minute. @param jvmOptions of the engine's process, such as {@code -Xmx1g} */
    ProcessMeter startEngine(int threads, List<String> jvmOptions) throws IOException {
        return startEngine(threads, Duration.ofMinutes(1), jvmOptions);
    }

    /** As the other. */
    ProcessMeter startEngine(int threads, Duration checkpointInterval, List<String> jvmOptions) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                EngineMain.class.getName(),
                kafka.bootstrapServers(),
                topics().prefix(),
                Integer.toString(kafka.partitions()),
                Integer.toString(threads),
                engineDirectory().toString(),
                Long.toString(checkpointInterval.toSeconds())));
        engine = new ProcessBuilder(command).inheritIO().start();
        return new ProcessMeter(engine.pid());
    }

    private Path engineDirectory() {
        return directory.resolve("engine");
    }

    /**
     * When the checkpoints that are complete and still there were made, ms since the epoch: from the beginning to the
     * moment at which the manifest, the last file, was written.
     */
    List<LongRange> checkpointTimesMs() throws IOException {
        Path checkpoints = EngineMain.checkpoints(engineDirectory());
        if (!Files.isDirectory(checkpoints)) {
            return List.of();
        }
        List<LongRange> times = new ArrayList<>();
        try (Stream<Path> files = Files.find(checkpoints, 3, (file, is) -> file.endsWith("manifest.json"))) {
            for (Path file : files.toList()) {
                CheckpointManifest manifest = Json.decode(Files.readAllBytes(file), CheckpointManifest.class);
                times.add(new LongRange(
                        manifest.createdAtMs(), Files.getLastModifiedTime(file).toMillis()));
            }
        } catch (NoSuchFileException | UncheckedIOException e) {
            return times; // the engine removed one meanwhile; those that stay are seen the next time
        }
        return times;
    }

    /** From the first to the last, both included. */
    record LongRange(long first, long last) {}

    /** Records that the topic has taken so far. */
    long appended(String topic) throws InterruptedException, ExecutionException {
        return Arrays.stream(ends(topic)).sum();
    }

    /** As {@link #appended}, by partition. */
    long[] ends(String topic) throws InterruptedException, ExecutionException {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions(topic).forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        long[] ends = new long[kafka.partitions()];
        admin.listOffsets(latest).all().get().forEach((partition, end) -> ends[partition.partition()] = end.offset());
        return ends;
    }

    /** SIGKILL; returns when the engine's process is gone. */
    void killEngine() {
        requireEngine().destroyForcibly().onExit().join();
    }

    /** @throws IllegalStateException if the engine has ended */
    Process requireEngine() {
        Process running = engine;
        if (running == null || !running.isAlive()) {
            throw new IllegalStateException("the engine's process has ended; see its output");
        }
        return running;
    }

    List<TopicPartition> partitions(String topic) {
        return IntStream.range(0, kafka.partitions())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .toList();
    }

    @Override
    public void close() throws IOException {
        if (engine != null) {
            engine.destroy();
            try {
                engine.onExit().get(30, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                engine.destroyForcibly().onExit().join();
            }
        }
        admin.close();
        broker.close();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
