package dev.vigil.engine.kafka;

import dev.vigil.config.ConfigException;
import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.EngineIdentity;
import dev.vigil.engine.TaskStores;
import dev.vigil.event.Explanation;
import dev.vigil.scoring.TopicChangedException;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.StateFormatException;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.InterruptException;
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
    /** Under full load; else outputs leave at once ({@link OutputFlusher}). */
    private static final int LINGER_MS = 5;

    private static final int RESTORE_WITHIN_MS = 30 * 60_000;
    private static final Duration STOP_WITHIN = Duration.ofSeconds(30);
    private static final Duration LEAVE_WITHIN = Duration.ofSeconds(5);

    private final KafkaConfig kafka;
    private final EngineConfig config;
    private final Path dataDirectory;
    private final EpochClock clock;
    private final TaskStores stores;
    private final LatencyRecorder latency;
    private final LongAdder decisions = new LongAdder();
    private final List<ScoringWorker> workers = new CopyOnWriteArrayList<>();
    private final EventExplainer explainer;
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch stopping = new CountDownLatch(1);
    private volatile ServiceState state = ServiceState.NEW;
    private volatile @Nullable String problem;
    private volatile @Nullable Policy policy;
    private final Map<Integer, PartitionStatus> atStop = new ConcurrentHashMap<>();
    private @Nullable OutputSender sender;
    private @Nullable Thread flushThread;
    private @Nullable Admin admin;
    private @Nullable Thread checkpointThread;
    private String identity = "";
    private boolean closed;

    /** @param dataDirectory of this engine alone; holds the local state */
    public ScoringEngine(
            KafkaConfig kafka, EngineConfig config, Path dataDirectory, EpochClock clock, MeterRegistry meters) {
        this.kafka = kafka;
        this.config = config;
        this.dataDirectory = dataDirectory;
        this.clock = clock;
        this.stores = new TaskStores(dataDirectory.resolve("state"), config);
        this.latency = new LatencyRecorder(clock);
        this.explainer = new EventExplainer(workers, kafka.partitions());
        registerMeters(meters);
        PartitionMeters.register(meters, kafka.partitions(), decisions, latency, this::partitions);
    }

    private void registerMeters(MeterRegistry meters) {
        gauge(meters, "vigil.engine.records.read", engine -> engine.counts().read());
        gauge(meters, "vigil.engine.records.scored", engine -> engine.counts().scored());
        gauge(meters, "vigil.engine.records.late", engine -> engine.counts().late());
        gauge(
                meters,
                "vigil.engine.records.duplicate",
                engine -> engine.counts().duplicate());
        gauge(
                meters,
                "vigil.engine.records.dead.lettered",
                engine -> engine.counts().deadLettered());
        gauge(
                meters,
                "vigil.engine.lag",
                engine -> engine.partitions().stream()
                        .mapToLong(PartitionStatus::lag)
                        .sum());
        gauge(
                meters,
                "vigil.engine.latency.p99.ms",
                engine -> engine.latency.recent().p99Ms());
    }

    private void gauge(MeterRegistry meters, String name, ToDoubleFunction<ScoringEngine> value) {
        Gauge.builder(name, this, value).register(meters);
    }

    @Override
    public synchronized void start() {
        state = ServiceState.STARTING;
        try {
            identity = EngineIdentity.of(dataDirectory);
            admin = KafkaClients.admin(kafka, NAME + "-admin");
            TopicSetup.ensure(admin, kafka);
        } catch (ServiceException e) {
            fail(e.getMessage());
            throw e;
        }
        KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(
                kafka,
                NAME,
                Map.of(
                        ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1,
                        ProducerConfig.LINGER_MS_CONFIG, LINGER_MS,
                        ProducerConfig.BATCH_SIZE_CONFIG, 128 << 10,
                        ProducerConfig.BUFFER_MEMORY_CONFIG, 128L << 20,
                        ProducerConfig.MAX_REQUEST_SIZE_CONFIG, 4 << 20));
        OutputFlusher flusher = new OutputFlusher(producer);
        flushThread = thread(NAME + "-flush", flusher);
        sender = new OutputSender(producer, kafka.topics(), clock, latency, decisions, flusher, config.schemaRecords());
        state = ServiceState.RUNNING;
        for (int i = 0; i < config.threads(); i++) {
            String name = NAME + "-" + i;
            String member = identity + "-" + i;
            spawn(name, () -> work(name, member));
        }
        checkpointThread = spawn(NAME + "-checkpoint", this::checkpointUntilStopped);
    }

    private Thread spawn(String name, Runnable body) {
        Thread thread = thread(name, body);
        threads.add(thread);
        return thread;
    }

    private static Thread thread(String name, Runnable body) {
        Thread thread = new Thread(body, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void work(String name, String member) {
        while (!isStopping()) {
            try {
                runWorker(name, member);
            } catch (RuntimeException e) {
                String reason = needsPerson(e);
                if (reason != null) {
                    LOG.error("{}: {}", name, reason);
                    fail(reason);
                } else if (!isStopping()) {
                    LOG.warn("{}: {}; starting again from the state on disk", name, e.toString());
                    LOG.debug("{}", name, e);
                    pause(RESTART_PAUSE_MS);
                }
            } catch (Error e) {
                LOG.error("{}: the engine stops", name, e);
                fail(e.toString());
            }
        }
    }

    /** Why a person has to help, in one line; null if trying again may. */
    private static @Nullable String needsPerson(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof ServiceException
                    || cause instanceof TopicChangedException
                    || cause instanceof StateFormatException
                    || cause instanceof ConfigException) {
                return cause.getMessage();
            }
            if (cause instanceof FencedInstanceIdException) {
                return "another engine runs with the identity of this data directory: give each engine its own";
            }
        }
        return null;
    }

    private void runWorker(String name, String member) {
        KafkaConsumer<byte[], byte[]> consumer = consumer(name, member);
        try {
            ScoringWorker worker = new ScoringWorker(
                    consumer,
                    kafka.topics().events(),
                    this::currentTopicId,
                    config,
                    Math.max(1, config.maxLiveEvents() / kafka.partitions()),
                    stores,
                    Objects.requireNonNull(sender),
                    this::newestWatermarkUs,
                    new PolicyPublisher(kafka)::inForce);
            workers.add(worker);
            try {
                if (!isStopping()) {
                    worker.run();
                }
            } finally {
                if (isStopping()) {
                    policy();
                    worker.tasks().forEach(task -> atStop.put(task.partition(), task.status()));
                }
                workers.remove(worker);
            }
        } finally {
            // One that will be back keeps its partitions; one that stops hands them over at once.
            GroupMembershipOperation membership =
                    isStopping() ? GroupMembershipOperation.LEAVE_GROUP : GroupMembershipOperation.REMAIN_IN_GROUP;
            consumer.close(CloseOptions.timeout(LEAVE_WITHIN).withGroupMembershipOperation(membership));
        }
    }

    private KafkaConsumer<byte[], byte[]> consumer(String name, String member) {
        return KafkaClients.consumer(
                kafka,
                name,
                Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        kafka.topics().prefix() + "-" + NAME,
                        ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                        member,
                        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                        CooperativeStickyAssignor.class.getName(),
                        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                        15_000,
                        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                        1_000,
                        // A partition's state is fetched between two polls.
                        ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG,
                        RESTORE_WITHIN_MS,
                        ConsumerConfig.MAX_POLL_RECORDS_CONFIG,
                        config.maxPollRecords(),
                        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
                        100,
                        ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
                        4 << 20));
    }

    /** @throws ServiceException if the log has other partitions than when the engine started */
    private String currentTopicId() {
        String topic = kafka.topics().events();
        try {
            Map<String, TopicDescription> all = Objects.requireNonNull(admin)
                    .describeTopics(List.of(topic))
                    .allTopicNames()
                    .get();
            TopicDescription found = Objects.requireNonNull(all.get(topic), topic);
            if (found.partitions().size() != kafka.partitions()) {
                throw new ServiceException(
                        "topic " + topic + ": expected " + kafka.partitions()
                                + " partitions as when the engine started (kafka.partitions), found "
                                + found.partitions().size()
                                + "; accounts have left their state behind: see \"When the log has changed\" in docs/deployment.md");
            }
            return found.topicId().toString();
        } catch (ExecutionException e) {
            Throwable why = Objects.requireNonNullElse(e.getCause(), e);
            throw new KafkaException("topic " + topic + ": " + why.getMessage(), e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private long newestWatermarkUs() {
        return partitions().stream()
                .map(PartitionStatus::watermarkUs)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(TaskState.NO_WATERMARK);
    }

    private void checkpointUntilStopped() {
        while (!pause(config.checkpointInterval().toMillis())) {
            try {
                checkpointAll(currentTopicId());
            } catch (KafkaException e) {
                LOG.warn("no checkpoint: {}", e.getMessage());
            } catch (ServiceException e) {
                LOG.error("{}", e.getMessage());
                fail(e.getMessage());
            }
        }
    }

    private void checkpointAll(String currentTopicId) {
        for (ScoringWorker worker : workers) {
            for (ScoringTask task : worker.tasks()) {
                if (!task.topicId().equals(currentTopicId)) {
                    // So quickly that the consumer went on in the new topic as if it were the old one.
                    fail("the log was deleted and created again while the engine ran: it had id " + task.topicId()
                            + ", now it has " + currentTopicId + "; start with an empty state directory and without the"
                            + " checkpoints");
                    return;
                }
                maybeCheckpoint(task);
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
            if (!isStopping()) {
                // The next one tries again; the age of the last complete one is on the page and in the metrics.
                LOG.warn("checkpoint of partition {} failed: {}", task.partition(), e.toString());
            }
        }
    }

    private boolean isStopping() {
        return stopping.getCount() == 0;
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
        stopWorkers();
    }

    private void stopWorkers() {
        stopping.countDown();
        workers.forEach(ScoringWorker::stop);
    }

    private List<PartitionStatus> partitions() {
        Map<Integer, PartitionStatus> partitions = new TreeMap<>(atStop);
        for (ScoringWorker worker : workers) {
            worker.tasks().forEach(task -> partitions.put(task.partition(), task.status()));
        }
        return List.copyOf(partitions.values());
    }

    private RecordCounts counts() {
        return partitions().stream().map(PartitionStatus::counts).reduce(RecordCounts.ZERO, RecordCounts::plus);
    }

    private @Nullable Policy policy() {
        for (ScoringWorker worker : workers) {
            for (ScoringTask task : worker.tasks()) {
                Policy active = task.policy();
                policy = active == null ? policy : active;
            }
        }
        return policy;
    }

    @Override
    public EngineStatus status() {
        List<PartitionStatus> partitions = partitions();
        Policy active = policy();
        return new EngineStatus(
                NAME,
                state,
                problem,
                active == null ? null : active.name(),
                active == null ? 0 : active.version(),
                counts(),
                partitions.stream().mapToLong(PartitionStatus::alerts).sum(),
                latency.total(),
                latency.recent(),
                partitions,
                Completeness.of(workers, active));
    }

    /**
     * Says why an event was scored as it was. Any thread; waits for the worker that has the account's partition, which
     * answers between two polls.
     *
     * @param source of the event; null if the id is enough
     * @throws dev.vigil.event.CannotExplainException if it cannot
     */
    public Explanation explain(String account, String eventId, @Nullable String source) {
        return explainer.explain(account, eventId, source);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        stopWorkers();
        if (checkpointThread != null) {
            // An upload may take long; what it leaves is cleared away by the next complete one.
            checkpointThread.interrupt();
        }
        boolean allEnded = true;
        for (Thread thread : threads) {
            allEnded &= hasEnded(thread);
        }
        if (sender != null) {
            sender.flusher().stop();
            sender.producer().close(allEnded ? STOP_WITHIN : Duration.ZERO);
        }
        if (flushThread != null) {
            allEnded &= hasEnded(flushThread);
        }
        if (admin != null) {
            admin.close(LEAVE_WITHIN);
        }
        if (allEnded) {
            stores.close();
        }
        if (state != ServiceState.FAILED) {
            state = ServiceState.STOPPED;
        }
    }

    private static boolean hasEnded(Thread thread) {
        try {
            thread.join(STOP_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("{} did not stop within {} s", thread.getName(), STOP_WITHIN.toSeconds());
        }
        return !thread.isAlive();
    }
}
