package dev.vigil.alerting.service;

import dev.vigil.alerting.AlertIntake;
import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.Dispatcher;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.IntakeRecord;
import dev.vigil.alerting.Outbox;
import dev.vigil.alerting.OutboxCounts;
import dev.vigil.alerting.WakeUp;
import dev.vigil.alerting.endpoints.EndpointAdmin;
import dev.vigil.alerting.endpoints.EndpointDirectory;
import dev.vigil.alerting.endpoints.EndpointVault;
import dev.vigil.alerting.endpoints.HostNames;
import dev.vigil.alerting.endpoints.RedeliveryDesk;
import dev.vigil.alerting.http.HttpProbe;
import dev.vigil.alerting.http.HttpTransport;
import dev.vigil.alerting.kafka.AlertSource;
import dev.vigil.alerting.kafka.DeliveryLease;
import dev.vigil.alerting.kafka.EndpointRegister;
import dev.vigil.alerting.kafka.GivenUpReader;
import dev.vigil.alerting.kafka.RecordPublisher;
import dev.vigil.alerting.kafka.ReportReader;
import dev.vigil.alerting.rocksdb.RocksDbOutbox;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.Endpoints;
import dev.vigil.service.EpochClock;
import dev.vigil.service.LatencyRecorder;
import dev.vigil.service.ServiceException;
import dev.vigil.service.VigilService;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The alerting service. Four threads: {@code alerting-intake} takes alerts from Kafka into the outbox,
 * {@code alerting-dispatcher} sends what is due, {@code alerting-publisher} writes outcomes to Kafka. They meet in the
 * outbox only, and wake each other: an alert leaves as soon as it is stored. {@code alerting-endpoints} follows the register of
 * the endpoints that were made by the API.
 *
 * <p>After a restart, also after a kill, it goes on where the outbox stands: pending deliveries are sent, alerts that
 * were taken are not taken again. Thread-safe as {@link VigilService} asks for.
 */
public final class Alerting implements VigilService {
    private static final Logger log = LoggerFactory.getLogger(Alerting.class);
    private static final String NAME = "alerting";
    private static final long IN_HAND_MS = 5_000;
    private static final long STOP_MS = 10_000;
    private static final long PUBLISHER_REST_MS = 60_000;
    private static final long STAND_BY_MS = 200;
    private static final long NOTE_PROGRESS_MS = 60_000;
    /** Beyond this nothing is pending any more that another may have delivered. */
    private static final Duration SETTLED_KEPT = Duration.ofDays(1);

    private final KafkaConfig kafka;
    private final AlertingConfig config;
    private final Path outboxDirectory;
    private final EpochClock clock;
    private final MeterRegistry registry;
    private final LatencyRecorder latency;
    private final Timer latencyTimer;
    private final WakeUp dispatcherWakeUp = new WakeUp();
    private final WakeUp publisherWakeUp = new WakeUp();
    private final EndpointDirectory directory;
    private final EndpointMeters endpointMeters;
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();

    private volatile ServiceState state = ServiceState.NEW;
    private volatile @Nullable String problem;
    private volatile @Nullable Running running;
    /** Whether this instance delivers; set by the intake's thread. */
    private volatile boolean delivering;

    private volatile boolean stopping;
    private long progressNotedMs;

    /** What exists once the service has started. */
    private record Running(
            Outbox outbox,
            DeliveryLease lease,
            ReportReader reports,
            AlertSource source,
            Dispatcher dispatcher,
            RecordPublisher publisher,
            EndpointRegister register,
            Endpoints endpoints,
            ServiceThread endpointsThread,
            ServiceThread intakeThread,
            ServiceThread dispatcherThread,
            ServiceThread publisherThread) {}

    /** @param dataDirectory of this service; the outbox goes into {@code outbox} below it */
    public Alerting(
            KafkaConfig kafka, AlertingConfig config, Path dataDirectory, EpochClock clock, MeterRegistry registry) {
        this.kafka = kafka;
        this.config = config;
        this.outboxDirectory = dataDirectory.resolve("outbox");
        this.clock = clock;
        this.registry = registry;
        this.directory = new EndpointDirectory(
                config.endpoints(),
                config.apiEndpoints(),
                new EndpointVault(config.apiEndpoints().keys()),
                HostNames.SYSTEM);
        this.endpointMeters = new EndpointMeters(registry);
        this.latency = new LatencyRecorder(clock);
        this.latencyTimer = AlertingMetrics.latencyTimer(registry);
    }

    /** @throws dev.vigil.service.ServiceException if the outbox or the topics are not as expected */
    @Override
    public synchronized void start() {
        if (state != ServiceState.NEW) {
            throw new IllegalStateException("alerting was started before, now " + state);
        }
        state = ServiceState.STARTING;
        try {
            Running parts = open();
            running = parts;
            AlertingMetrics.register(registry, parts.outbox);
            meters(parts.outbox, directory);
            AlertingMetrics.registerDelivering(registry, () -> delivering && parts.lease.isHeld());
            state = ServiceState.RUNNING;
            parts.endpointsThread.start();
            parts.intakeThread.start();
            parts.dispatcherThread.start();
            parts.publisherThread.start();
        } catch (RuntimeException e) {
            failed(e);
            throw e;
        }
    }

    private Running open() {
        Map<String, String> topicIds = TopicSetup.ensure(kafka, "vigil-alerting-setup");
        String alertsTopicId = topicId(topicIds, kafka.topics().alerts());
        String actionsTopicId = topicId(topicIds, kafka.topics().caseActions());
        Outbox outbox = closedLater(RocksDbOutbox.open(outboxDirectory));
        RecordPublisher publisher = closedLater(new RecordPublisher(kafka, outbox));
        AlertSource source = closedLater(new AlertSource(kafka, alertsTopicId, actionsTopicId));
        source.seek(outbox, config.acceptGap());
        ReportReader reports = closedLater(
                new ReportReader(kafka, topicId(topicIds, kafka.topics().deliveries()), outbox));
        DeliveryLease lease = closedLater(new DeliveryLease(kafka, outbox.id(), config.takeOverAfter()));
        EndpointRegister register = closedLater(new EndpointRegister(kafka, directory, this::endpointsChanged));
        register.readToEnd();
        HttpTransport transport = closedLater(new HttpTransport(List.of(), clock));
        Dispatcher dispatcher = new Dispatcher(
                outbox,
                transport,
                directory::current,
                config.retry(),
                clock,
                new SplittableRandom(),
                this::recordLatency,
                dispatcherWakeUp);
        AlertIntake intake = new AlertIntake(
                outbox, () -> directory.current().endpoints(), config.suppression(), alertsTopicId, actionsTopicId);
        return new Running(
                outbox,
                lease,
                reports,
                source,
                dispatcher,
                publisher,
                register,
                new EndpointAdmin(
                        directory,
                        register,
                        new HttpProbe(clock),
                        figures(outbox, dispatcher),
                        new RedeliveryDesk(new GivenUpReader(kafka), outbox, dispatcherWakeUp::signal, clock),
                        clock),
                new ServiceThread("alerting-endpoints", register::follow, this::threadFailed),
                new ServiceThread("alerting-intake", () -> takeAlerts(intake), this::threadFailed),
                new ServiceThread("alerting-dispatcher", () -> dispatch(dispatcher, lease), this::threadFailed),
                new ServiceThread("alerting-publisher", () -> publish(publisher), this::threadFailed));
    }

    /** By the thread that follows the register, and before it starts by the one that starts. */
    private void endpointsChanged() {
        dispatcherWakeUp.signal();
        Running parts = running;
        if (parts != null) {
            meters(parts.outbox, directory);
        }
    }

    private void meters(Outbox outbox, EndpointDirectory of) {
        endpointMeters.keep(
                outbox,
                of.current().endpoints().stream().map(EndpointConfig::name).toList());
    }

    private static EndpointAdmin.Figures figures(Outbox outbox, Dispatcher dispatcher) {
        return new EndpointAdmin.Figures() {
            @Override
            public List<AlertingStatus.EndpointStatus> statuses() {
                return dispatcher.endpoints();
            }

            @Override
            public OutboxCounts counts() {
                return outbox.counts();
            }
        };
    }

    /**
     * The endpoints, for the API.
     *
     * @throws EndpointRefusedException while the service does not run, or another instance delivers
     */
    public Endpoints endpoints() {
        Running parts = running;
        if (parts == null || state != ServiceState.RUNNING) {
            throw new EndpointRefusedException(
                    EndpointRefusedException.Kind.UNAVAILABLE, "alerting does not run yet, or no more; ask again");
        }
        // One writer: each change is decided on what the one before made.
        if (!delivering || !parts.lease.isHeld()) {
            throw new EndpointRefusedException(
                    EndpointRefusedException.Kind.UNAVAILABLE,
                    "this instance does not deliver, or not yet; ask the one that does, or again");
        }
        return parts.endpoints;
    }

    private void recordLatency(long latencyMs) {
        latency.record(latencyMs);
        latencyTimer.record(Math.max(0, latencyMs), TimeUnit.MILLISECONDS);
    }

    private <T extends AutoCloseable> T closedLater(T resource) {
        resources.push(resource);
        return resource;
    }

    private static String topicId(Map<String, String> topicIds, String topic) {
        return Objects.requireNonNull(topicIds.get(topic), topic);
    }

    private void takeAlerts(AlertIntake intake) {
        Running parts = Objects.requireNonNull(running);
        if (!mayDeliver(parts)) {
            return;
        }
        List<IntakeRecord> records = parts.source.poll();
        if (records.isEmpty()) {
            return;
        }
        parts.outbox.accept(intake.take(records, clock.epochMs()));
        dispatcherWakeUp.signal();
        publisherWakeUp.signal();
    }

    private boolean mayDeliver(Running parts) {
        if (!parts.lease.renew()) {
            if (delivering) {
                delivering = false;
                log.warn("alerting: another instance delivers now, this one stands by");
            }
            return false;
        }
        if (!delivering && !takeOver(parts)) {
            return false;
        }
        long nowMs = clock.epochMs();
        if (nowMs - progressNotedMs >= NOTE_PROGRESS_MS) {
            progressNotedMs = nowMs;
            parts.reports.passOver();
        }
        return true;
    }

    /** Who delivered last has everything in its outbox; anybody else first learns what was delivered meanwhile. */
    private boolean takeOver(Running parts) {
        long oldMs = clock.epochMs()
                - config.retry().giveUpAfter().plus(SETTLED_KEPT).toMillis();
        parts.outbox.forgetSettled(oldMs);
        if (!parts.outbox.id().equals(parts.lease.predecessor())
                && !parts.reports.readToEnd(oldMs, () -> !stopping && parts.lease.renew())) {
            return false;
        }
        parts.source.seek(parts.outbox, config.acceptGap());
        delivering = true;
        dispatcherWakeUp.signal();
        return true;
    }

    private void dispatch(Dispatcher dispatcher, DeliveryLease lease) throws InterruptedException {
        if (!delivering || !lease.isHeld()) {
            dispatcher.recordAnswers();
            dispatcherWakeUp.await(STAND_BY_MS);
            return;
        }
        long restMs = dispatcher.doWork();
        publisherWakeUp.signal();
        if (restMs > 0) {
            dispatcherWakeUp.await(restMs);
        }
    }

    private void publish(RecordPublisher publisher) throws InterruptedException {
        if (!publisher.publishNext()) {
            publisherWakeUp.await(PUBLISHER_REST_MS);
        }
    }

    /** A thread ended; the others go on, so that what can still be delivered is. */
    private void threadFailed(RuntimeException e) {
        if (e instanceof ServiceException) {
            log.error("alerting: {}", e.getMessage());
            log.debug("alerting: where it failed", e);
        } else {
            log.error("alerting: unexpected failure", e);
        }
        failed(e);
    }

    private void failed(RuntimeException e) {
        problem = String.valueOf(e.getMessage());
        state = ServiceState.FAILED;
    }

    /** The cases as this instance has them; while it stands by they are as when it delivered last. From any thread. */
    public Cases cases() {
        return new OwnCases(() -> {
            Running parts = running;
            return parts == null || state != ServiceState.RUNNING ? null : parts.outbox.cases();
        });
    }

    @Override
    public AlertingStatus status() {
        Running parts = running;
        OutboxCounts counts = parts == null ? OutboxCounts.ZERO : parts.outbox.counts();
        return new AlertingStatus(
                NAME,
                state,
                problem,
                counts.intake().alerts(),
                counts.intake().suppressed(),
                counts.intake().cases().snoozed(),
                counts.intake().cases().quiet(),
                counts.intake().cases().escalated(),
                counts.intake().unrouted(),
                sum(counts, OutboxCounts.EndpointCounts::delivered),
                sum(counts, OutboxCounts.EndpointCounts::failedAttempts),
                sum(counts, OutboxCounts.EndpointCounts::givenUp),
                sum(counts, OutboxCounts.EndpointCounts::pending),
                latency.total(),
                latency.recent(),
                state == ServiceState.RUNNING && !delivering,
                parts == null ? List.of() : parts.dispatcher.endpoints());
    }

    private static long sum(OutboxCounts counts, ToLongFunction<OutboxCounts.EndpointCounts> count) {
        return counts.endpoints().values().stream().mapToLong(count).sum();
    }

    /** Attempts under way get some seconds to end; what does not is sent again after the next start. */
    @Override
    public synchronized void close() {
        if (state == ServiceState.STOPPED) {
            return;
        }
        Running parts = running;
        if (parts != null) {
            stopThreads(parts);
        }
        closeResources();
        state = ServiceState.STOPPED;
    }

    private void stopThreads(Running parts) {
        stopping = true;
        parts.intakeThread.stop();
        parts.source.wakeUp();
        parts.lease.wakeUp();
        parts.endpointsThread.stop();
        parts.register.wakeUp();
        parts.dispatcherThread.stop();
        dispatcherWakeUp.signal();
        joinOrLog(parts.endpointsThread, "alerting-endpoints");
        joinOrLog(parts.intakeThread, "alerting-intake");
        if (joinOrLog(parts.dispatcherThread, "alerting-dispatcher")) {
            finishInHand(parts.dispatcher);
        }
        publishInHand(parts);
    }

    private static boolean joinOrLog(ServiceThread thread, String name) {
        boolean ended = thread.join(STOP_MS);
        if (!ended) {
            log.warn("{} does not end, going on without it", name);
        }
        return ended;
    }

    private void finishInHand(Dispatcher dispatcher) {
        long deadlineNs = System.nanoTime() + IN_HAND_MS * 1_000_000;
        try {
            dispatcher.recordAnswers();
            while (dispatcher.inFlightCount() > 0 && System.nanoTime() < deadlineNs) {
                dispatcherWakeUp.await(100);
                dispatcher.recordAnswers();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.warn("alerting: answers cannot be recorded any more, they will be sent again: {}", e.getMessage());
        }
    }

    /** Lets the publisher go on until nothing is left, for a while; the rest goes out after the next start. */
    private void publishInHand(Running parts) {
        publisherWakeUp.signal();
        long deadlineNs = System.nanoTime() + IN_HAND_MS * 1_000_000;
        try {
            while (parts.publisherThread.isRunning()
                    && !parts.outbox.unpublished(0, 1).isEmpty()
                    && System.nanoTime() < deadlineNs) {
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        parts.publisherThread.stopNow();
        joinOrLog(parts.publisherThread, "alerting-publisher");
    }

    private void closeResources() {
        while (!resources.isEmpty()) {
            try {
                resources.pop().close();
            } catch (Exception e) {
                log.warn("alerting: a resource does not close: {}", e.toString());
            }
        }
    }
}
