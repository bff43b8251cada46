package dev.vigil.engine.kafka;

import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.TaskStores;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.EpochClock;
import dev.vigil.service.LatencyRecorder;
import dev.vigil.service.ServiceException;
import dev.vigil.service.VigilService;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.RecordCounts;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scoring engine as a service: workers that share the log's partitions through a consumer group, and one thread that
 * checkpoints. Start it again on the same data directory after a crash, and it goes on where its state stands.
 *
 * <p>A worker that fails for a reason which may pass (a broker or a disk in trouble) is started again after a pause; one
 * that a person has to help stops the engine, and {@link #status} says why.
 */
public final class ScoringEngine implements VigilService {
    private static final Logger LOG = LoggerFactory.getLogger(ScoringEngine.class);
    private static final String NAME = "scoring-engine";
    private static final long RESTART_PAUSE_MS = 1_000;
    private static final int STOP_SECONDS = 30;

    private final KafkaConfig kafka;
    private final EngineConfig config;
    private final EpochClock clock;
    private final TaskStores stores;
    private final LatencyRecorder latency;
    private final List<ScoringWorker> workers = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile ServiceState state = ServiceState.NEW;
    private volatile @Nullable String problem;
    private volatile List<PartitionStatus> lastPartitions = List.of();
    private @Nullable OutputSender sender;
    private String topicId = "";

    /** @param dataDirectory of this engine alone; holds the local state */
    public ScoringEngine(
            KafkaConfig kafka, EngineConfig config, Path dataDirectory, EpochClock clock, MeterRegistry meters) {
        this.kafka = kafka;
        this.config = config;
        this.clock = clock;
        this.stores = new TaskStores(dataDirectory.resolve("state"), config);
        this.latency = new LatencyRecorder(clock);
        registerMeters(meters);
        PartitionMeters.register(meters, kafka.partitions(), latency, this::partitions);
    }

    private void registerMeters(MeterRegistry meters) {
        Gauge.builder(
                        "vigil.engine.records.read",
                        this,
                        engine -> engine.counts().read())
                .register(meters);
        Gauge.builder(
                        "vigil.engine.records.scored",
                        this,
                        engine -> engine.counts().scored())
                .register(meters);
        Gauge.builder(
                        "vigil.engine.records.late",
                        this,
                        engine -> engine.counts().late())
                .register(meters);
        Gauge.builder(
                        "vigil.engine.records.duplicate",
                        this,
                        engine -> engine.counts().duplicate())
                .register(meters);
        Gauge.builder(
                        "vigil.engine.records.dead.lettered",
                        this,
                        engine -> engine.counts().deadLettered())
                .register(meters);
        Gauge.builder("vigil.engine.lag", this, ScoringEngine::lag).register(meters);
        Gauge.builder(
                        "vigil.engine.latency.p99.ms",
                        this,
                        engine -> engine.latency.recent().p99Ms())
                .register(meters);
    }

    @Override
    public synchronized void start() {
        state = ServiceState.STARTING;
        try (Admin admin = KafkaClients.admin(kafka, NAME + "-admin")) {
            Map<String, String> ids = TopicSetup.ensure(admin, kafka);
            topicId = java.util.Objects.requireNonNull(ids.get(kafka.topics().events()));
        } catch (ServiceException e) {
            fail(e.getMessage());
            throw e;
        }
        KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(
                kafka,
                NAME,
                Map.of(
                        ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10,
                        ProducerConfig.BUFFER_MEMORY_CONFIG, 128L << 20,
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 << 20));
        sender = new OutputSender(producer, kafka.topics(), clock, latency);
        for (int i = 0; i < config.threads(); i++) {
            String name = NAME + "-" + i;
            spawn(name, () -> work(name));
        }
        spawn(NAME + "-checkpoint", this::checkpointUntilStopped);
        state = ServiceState.RUNNING;
    }

    private void spawn(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    private void work(String name) {
        while (stopping.getCount() > 0) {
            try {
                runWorker(name);
            } catch (RuntimeException e) {
                if (needsPerson(e)) {
                    LOG.error("{}: {}", name, e.getMessage());
                    fail(e.getMessage());
                    return;
                }
                LOG.warn("{}: {}; starting again from the state on disk", name, e.getMessage(), e);
                pause(RESTART_PAUSE_MS);
            }
        }
    }

    private static boolean needsPerson(RuntimeException e) {
        return e instanceof ServiceException
                || e instanceof dev.vigil.scoring.TopicChangedException
                || e instanceof dev.vigil.scoring.state.StateFormatException
                || e instanceof dev.vigil.config.ConfigException
                || e.getCause() instanceof RuntimeException cause && needsPerson(cause);
    }

    private void runWorker(String name) {
        OutputSender out = java.util.Objects.requireNonNull(sender);
        Map<String, Object> overrides = Map.of(
                ConsumerConfig.GROUP_ID_CONFIG,
                kafka.topics().prefix() + "-" + NAME,
                ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                config.maxPollRecords(),
                ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                100,
                ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                4 << 20);
        try (var consumer = KafkaClients.consumer(kafka, name, overrides)) {
            ScoringWorker worker = new ScoringWorker(
                    consumer,
                    kafka.topics().events(),
                    topicId,
                    config,
                    stores,
                    out,
                    new TickSender(out.producer(), kafka.topics().events()),
                    this::newestWatermarkUs);
            workers.add(worker);
            try {
                if (stopping.getCount() > 0) {
                    worker.run();
                }
            } finally {
                workers.remove(worker);
            }
        }
    }

    private long newestWatermarkUs() {
        return partitions().stream()
                .map(PartitionStatus::watermarkUs)
                .filter(java.util.Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(TaskState.NO_WATERMARK);
    }

    private void checkpointUntilStopped() {
        while (!pause(config.checkpointInterval().toMillis())) {
            for (ScoringWorker worker : workers) {
                for (ScoringTask task : worker.tasks()) {
                    maybeCheckpoint(task);
                }
            }
        }
    }

    private void maybeCheckpoint(ScoringTask task) {
        Long last = task.status().checkpointOffset();
        if (last != null && last == task.status().nextOffset()) {
            return;
        }
        try {
            task.checkpoint(clock.epochMs());
        } catch (IOException | RuntimeException e) {
            // The next one tries again; the age of the last complete one is on the page and in the metrics.
            LOG.warn("checkpoint of partition {} failed: {}", task.partition(), e.toString());
        }
    }

    /** @return true if the engine is stopping */
    private boolean pause(long ms) {
        try {
            return stopping.await(ms, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void fail(@Nullable String why) {
        problem = why;
        state = ServiceState.FAILED;
    }

    private List<PartitionStatus> partitions() {
        List<PartitionStatus> current = workers.stream()
                .flatMap(worker -> worker.tasks().stream())
                .map(ScoringTask::status)
                .sorted(Comparator.comparingInt(PartitionStatus::partition))
                .toList();
        if (!current.isEmpty()) {
            lastPartitions = current;
        }
        return lastPartitions;
    }

    private RecordCounts counts() {
        return partitions().stream().map(PartitionStatus::counts).reduce(RecordCounts.ZERO, RecordCounts::plus);
    }

    private long lag() {
        return partitions().stream().mapToLong(PartitionStatus::lag).sum();
    }

    private @Nullable Policy policy() {
        return workers.stream()
                .flatMap(worker -> worker.tasks().stream())
                .map(ScoringTask::policy)
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public EngineStatus status() {
        List<PartitionStatus> partitions = partitions();
        Policy policy = policy();
        return new EngineStatus(
                NAME,
                state,
                problem,
                policy == null ? null : policy.name(),
                policy == null ? 0 : policy.version(),
                counts(),
                partitions.stream().mapToLong(PartitionStatus::alerts).sum(),
                latency.total(),
                latency.recent(),
                partitions);
    }

    @Override
    public synchronized void close() {
        if (state == ServiceState.STOPPED) {
            return;
        }
        stopping.countDown();
        workers.forEach(ScoringWorker::stop);
        for (Thread thread : threads) {
            join(thread);
        }
        if (sender != null) {
            sender.producer().close(java.time.Duration.ofSeconds(STOP_SECONDS));
        }
        stores.close();
        if (state != ServiceState.FAILED) {
            state = ServiceState.STOPPED;
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(TimeUnit.SECONDS.toMillis(STOP_SECONDS));
            if (thread.isAlive()) {
                LOG.warn("{} did not stop within {} s", thread.getName(), STOP_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
