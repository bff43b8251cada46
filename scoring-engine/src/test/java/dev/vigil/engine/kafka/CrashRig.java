package dev.vigil.engine.kafka;

import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.ServiceState;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.common.GroupState;
import org.jspecify.annotations.Nullable;

/**
 * What the crash suite disturbs: a log under traffic, a broker, and two engines that share its partitions and their
 * checkpoints, each a process. Between two disturbances the first engine runs alone.
 */
final class CrashRig implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int POLL_MS = 20;
    private static final int TRAFFIC_PAUSE_MS = 20;

    /** An engine with its data directory, whether it runs or not. */
    final class Instance {
        private final String name;
        private final Path data;
        private @Nullable EngineProcess process;

        private Instance(String name) {
            this.name = name;
            this.data = disk.resolve(name);
        }

        /** Returns once it runs, which is before it has partitions. */
        void start() throws IOException {
            process = EngineProcess.start(
                    deployment.kafka(), data, checkpoints(), directory.resolve(name + ".status"), log().toFile());
            await(name + " is running", () -> status().isPresent());
        }

        EngineProcess process() {
            return java.util.Objects.requireNonNull(process, name);
        }

        boolean isRunning() {
            return process != null && process.isAlive();
        }

        Optional<EngineStatus> status() {
            if (process == null) {
                return Optional.empty();
            }
            process.requireNotEndedByItself();
            try {
                Optional<EngineStatus> status = process.status();
                status.filter(s -> s.state() == ServiceState.FAILED).ifPresent(failed -> {
                    throw new AssertionError(name + " stopped: " + failed.problem());
                });
                return status;
            } catch (IOException e) {
                throw new AssertionError(name + ": " + e, e);
            }
        }

        List<PartitionStatus> partitions() {
            return status().map(EngineStatus::partitions).orElse(List.of());
        }

        void awaitPartitions(int atLeast) {
            await(name + " has " + atLeast + " partitions", () -> partitions().size() >= atLeast);
        }

        /** Waits until it has read some more. */
        void awaitProgress(int records) {
            awaitPartitions(1);
            long before = read();
            await(name + " goes on", () -> read() >= before + records);
        }

        private long read() {
            return status().map(status -> status.counts().read()).orElse(0L);
        }

        Path state(int partition) {
            return data.resolve("state").resolve(Integer.toString(partition));
        }

        /** Whether its log has this, in what it said since then. */
        boolean said(String text, long sinceLogBytes) {
            try (InputStream in = Files.newInputStream(log())) {
                in.skipNBytes(sinceLogBytes);
                return new String(in.readAllBytes(), StandardCharsets.UTF_8).contains(text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        long logBytes() {
            return log().toFile().length();
        }

        private Path log() {
            return directory.resolve(name + ".log");
        }

        private void end() {
            if (process != null) {
                process.close();
            }
        }
    }

    private final Path directory;
    private final Path disk;
    private final Random random;
    private final EmbeddedKafkaProcess broker;
    private final Deployment deployment;
    private final TestTraffic traffic;
    private final OutputCheck check;
    private final @Nullable SmallDisk smallDisk;
    private final Instance first;
    private final Instance second;
    private @Nullable Pacer pacer;
    private int policyVersion = 1;

    private CrashRig(
            EmbeddedKafkaProcess broker, Path directory, Path disk, @Nullable SmallDisk smallDisk, Random random) {
        this.broker = broker;
        this.directory = directory;
        this.disk = disk;
        this.smallDisk = smallDisk;
        this.random = random;
        this.deployment = Deployment.on(broker.bootstrapServers());
        this.traffic = new TestTraffic(random.nextLong());
        this.check = new OutputCheck(deployment);
        this.first = new Instance("first");
        this.second = new Instance("second");
    }

    /** @param directory for what engines keep and say; on a small file system of its own where that can be had */
    static CrashRig start(EmbeddedKafkaProcess broker, Path directory, Random random)
            throws IOException, InterruptedException {
        Path disk = directory.resolve("disk");
        SmallDisk small = SmallDisk.mount(disk).orElse(null);
        CrashRig rig = new CrashRig(broker, directory, disk, small, random);
        try {
            rig.deployment.activate(TestPolicy.updating(1, 600));
            rig.first.start();
            return rig;
        } catch (IOException | RuntimeException | AssertionError e) {
            rig.close();
            throw e;
        }
    }

    Random random() {
        return random;
    }

    EmbeddedKafkaProcess broker() {
        return broker;
    }

    Instance first() {
        return first;
    }

    Instance second() {
        return second;
    }

    Optional<SmallDisk> smallDisk() {
        return Optional.ofNullable(smallDisk);
    }

    OutputCheck check() {
        return check;
    }

    Path checkpoints() {
        return disk.resolve("checkpoints");
    }

    Path checkpoints(int partition) {
        return checkpoints().resolve(Integer.toString(partition));
    }

    /** Disturbs under traffic, then lets the log come to rest and compares. */
    void disturb(Disturbance disturbance) throws IOException, InterruptedException {
        pacer = new Pacer(deployment, traffic, TRAFFIC_PAUSE_MS);
        first.awaitProgress(50);
        if (random.nextInt(4) == 0) {
            deployment.activate(TestPolicy.varied(++policyVersion, random));
        }
        disturbance.happen(this);
        if (second.isRunning()) {
            second.process().stop();
        }
        first.awaitProgress(20);
        pacer.close();
        check.check(this::partitions);
    }

    private List<PartitionStatus> partitions() {
        List<PartitionStatus> partitions = new ArrayList<>(first.partitions());
        partitions.addAll(second.partitions());
        return partitions;
    }

    /** Whether the group of the engines is sharing out its partitions just now. */
    boolean isRebalancing() {
        try {
            GroupState state = deployment
                    .admin()
                    .describeConsumerGroups(List.of(deployment.group()))
                    .describedGroups()
                    .get(deployment.group())
                    .get()
                    .groupState();
            return state == GroupState.PREPARING_REBALANCE || state == GroupState.COMPLETING_REBALANCE;
        } catch (ExecutionException e) {
            throw new AssertionError("the broker does not know the group: " + e.getCause(), e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while asking for the group", e);
        }
    }

    /** A moment at random, within which anything may be under way. */
    void anyMoment(int maxMs) throws InterruptedException {
        Thread.sleep(random.nextInt(maxMs));
    }

    static void await(String what, BooleanSupplier condition) {
        await(what, condition, POLL_MS);
    }

    /** For what lasts a moment. */
    static void spin(String what, BooleanSupplier condition) {
        await(what, condition, 0);
    }

    private static void await(String what, BooleanSupplier condition, int pollMs) {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError("expected within " + PATIENCE.toSeconds() + " s: " + what);
            }
            try {
                Thread.sleep(pollMs);
            } catch (InterruptedException e) {
                throw new IllegalStateException("interrupted while waiting until " + what, e);
            }
        }
    }

    /** Removes the topics, for a broker that goes on. */
    void deleteTopics() throws InterruptedException, ExecutionException {
        deployment.admin().deleteTopics(deployment.kafka().topics().all()).all().get();
    }

    /** Ends the engines and copies what is on their disk to one that stays. */
    void keepEvidence() throws IOException {
        first.end();
        second.end();
        Path copy = directory.resolve("disk-as-found");
        try (Stream<Path> walk = Files.walk(disk)) {
            for (Path file : walk.toList()) {
                Files.copy(file, copy.resolve(disk.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    /** Any thread. Ends the engines at once and takes their disk away. */
    void endProcesses() {
        first.end();
        second.end();
        if (smallDisk != null) {
            smallDisk.close();
        }
    }

    /** Ends the engines; what they said stays in the directory, what they kept does not where it was on a disk of its own. */
    @Override
    public void close() throws IOException {
        first.end();
        second.end();
        if (pacer != null && broker.isAlive()) {
            pacer.close();
        }
        check.close();
        deployment.close();
        if (smallDisk != null) {
            smallDisk.close();
        } else if (Files.exists(disk)) {
            dev.vigil.engine.checkpoint.Checkpoints.deleteTree(disk);
        }
    }
}
