package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CdcConfig;
import dev.vigil.cdc.DeclaredFields;
import dev.vigil.cdc.GapException;
import dev.vigil.cdc.RowMapper;
import dev.vigil.cdc.SourceUnreachableException;
import dev.vigil.cdc.TableMapping;
import dev.vigil.cdc.kafka.EventPublisher;
import dev.vigil.cdc.rocksdb.CaptureStore;
import dev.vigil.service.ServiceException;
import dev.vigil.service.VigilService;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service {@code cdc-ingest}: row changes of a PostgreSQL or MySQL database, from a snapshot on, as records of the log.
 *
 * <p>The position is stored in the data directory after the broker has acknowledged the records, and confirmed to the
 * database after that. So a crash at any point loses nothing; what comes again carries the same identity. When the
 * database or the connection to it goes away, the service waits and goes on from its position; when it comes back
 * without what the position needs, the service fails and names the gap.
 */
public final class CdcIngest implements VigilService, MeterBinder {

    public static final String NAME = "cdc-ingest";

    private static final Logger log = LoggerFactory.getLogger(CdcIngest.class);
    private static final int RETRY_SECONDS_MAX = 15;

    private final CdcConfig config;
    private final KafkaConfig kafka;
    private final Path dataDirectory;
    private final Path storeDirectory;
    private final @Nullable DeclaredFields declared;
    private volatile int misfitCount;
    private final CaptureSource source;
    private final SlotLag slotLag;
    private final @Nullable StallWatch stallWatch;
    private final CaptureProgress progress = new CaptureProgress();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Object lifecycle = new Object();
    private volatile ServiceState state = ServiceState.NEW;
    private volatile @Nullable String problem;
    private volatile @Nullable GapException gap;
    private @Nullable CaptureStore store;
    private @Nullable CaptureRun run;
    private @Nullable EventPublisher publisher;
    private @Nullable Thread thread;

    /**
     * @param dataDirectory keeps position and state between runs, in a folder of its own
     * @param declared fields of the policy that the mapped columns have to fit; null if no policy is known
     */
    public CdcIngest(CdcConfig config, KafkaConfig kafka, Path dataDirectory, @Nullable DeclaredFields declared) {
        this.config = config;
        this.kafka = kafka;
        this.dataDirectory = dataDirectory;
        this.storeDirectory = dataDirectory.resolve("capture");
        this.declared = declared;
        this.source = CaptureSource.of(config, dataDirectory);
        this.slotLag = new SlotLag(
                source,
                progress::position,
                source.logSilenceMax()
                        .map(silence -> new LogSilence(progress, silence))
                        .orElse(null));
        if (declared != null) {
            progress.allowAhead(declared.maxFutureSkew());
        }
        this.stallWatch = source.silenceMax()
                .map(silence -> new StallWatch(progress, silence, this::abortRun))
                .orElse(null);
    }

    @Override
    public void start() {
        if (state != ServiceState.NEW) {
            throw new IllegalStateException("started twice, now " + state);
        }
        state = ServiceState.STARTING;
        try {
            try (Admin admin = KafkaClients.admin(kafka, "vigil-cdc-ingest-admin")) {
                TopicSetup.ensure(admin, kafka);
            }
            store = CaptureStore.open(storeDirectory, source.owner());
            prepare(declared);
            slotLag.start();
            if (stallWatch != null) {
                stallWatch.start();
            }
            Thread worker = new Thread(this::capture, NAME);
            worker.setUncaughtExceptionHandler(this::died);
            thread = worker;
            state = ServiceState.RUNNING;
            worker.start();
        } catch (ServiceException e) {
            fail(e);
            throw e;
        } catch (KafkaException e) {
            ServiceException refusal = new ServiceException("Kafka client of cdc-ingest: " + e.getMessage(), e);
            fail(refusal);
            throw refusal;
        }
    }

    /**
     * Checks the source against the stored position; every run starts with it.
     *
     * @param fields of the policy, at the first start; later on the policy may have changed, and that stops nothing
     */
    private void prepare(@Nullable DeclaredFields fields) {
        progress.enter(CaptureProgress.PHASE_CONNECTING);
        CaptureStore capture = store();
        capture.rollback();
        progress.waitingCount.set(capture.waitingCount());
        if (!capture.slot().isEmpty() && !capture.slot().equals(source.owner())) {
            throw new ServiceException(storeDirectory + ": expected a position of " + source.ownerKey()
                    + ", found one of '" + capture.slot() + "'");
        }
        if (source.verify(capture, fields)) {
            capture.beginSnapshot();
            capture.claimSlot();
            source.beginAnew();
            slotLag.readAnew();
        }
        capture.belongsTo(source.server(), mappedTables(), source.publication());
        progress.reach(capture.position());
    }

    private Set<String> mappedTables() {
        return config.tables().stream().map(TableMapping::table).collect(Collectors.toUnmodifiableSet());
    }

    private CaptureStore store() {
        return Objects.requireNonNull(store, "not started");
    }

    private void died(Thread worker, Throwable error) {
        log.error("change capture ended by an error of its own", error);
        fail(new ServiceException("cdc-ingest ended by an error of its own: " + error, error));
    }

    private void capture() {
        int attempt = 0;
        while (!isClosing()) {
            long rowsBefore = progress.rowCount.get();
            String failure = runOnce().orElse(null);
            if (isClosing()) {
                break;
            }
            attempt = progress.rowCount.get() > rowsBefore ? 1 : attempt + 1;
            problem = failure == null ? "the capture engine stopped by itself" : failure;
            log.warn("change capture stopped: {}; going on from the stored position", problem);
            awaitSource(attempt);
            if (state == ServiceState.FAILED) {
                return;
            }
        }
        progress.enter(CaptureProgress.PHASE_STOPPED);
    }

    private void abortRun() {
        CaptureRun current;
        synchronized (lifecycle) {
            current = run;
        }
        if (current != null) {
            current.abort("nothing came from the database, not even a heartbeat, for "
                    + source.silenceMax().orElseThrow().toSeconds() + " s");
        }
    }

    private Optional<String> runOnce() {
        try (EventPublisher events = new EventPublisher(kafka)) {
            CaptureStore capture = store();
            BatchForwarder forwarder = new BatchForwarder(
                    source.records(), new RowMapper(config), config.lookups(), events, capture, progress);
            CaptureRun current = new CaptureRun(
                    source.settings(capture.position().offsets(), SnapshotRequests.file(dataDirectory)), forwarder);
            synchronized (lifecycle) {
                if (isClosing()) {
                    return Optional.empty();
                }
                publisher = events;
                run = current;
            }
            problem = null;
            progress.snapshot.expect(source.estimatedRows());
            progress.beginRun(!capture.isSnapshotOpen());
            try {
                return current.run();
            } finally {
                progress.endRun();
            }
        }
    }

    /** Waits until the source can be read on, or the service is closed or has failed. */
    private void awaitSource(int firstAttempt) {
        for (int attempt = firstAttempt; !pause(attempt); attempt++) {
            try {
                prepare(null);
                return;
            } catch (SourceUnreachableException e) {
                problem = e.getMessage();
                log.warn("{}; trying again", e.getMessage());
            } catch (ServiceException e) {
                fail(e);
                log.error("{}", e.getMessage());
                return;
            }
        }
    }

    /** True if the service is being closed. */
    private boolean pause(int attempt) {
        long seconds = Math.min(RETRY_SECONDS_MAX, 1L << Math.min(attempt - 1, 4));
        try {
            return closing.await(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void fail(ServiceException e) {
        gap = e instanceof GapException failure ? failure : null;
        problem = e.getMessage();
        state = ServiceState.FAILED;
    }

    /** The gap that the service failed for; empty if it did not. Any thread. */
    public Optional<GapException> gap() {
        return Optional.ofNullable(gap);
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    @Override
    public CdcStatus status() {
        String ownProblem = problem;
        return new CdcStatus(
                NAME,
                state,
                ownProblem == null ? slotLag.problem() : ownProblem,
                progress.phase(),
                progress.rowCount.get(),
                progress.publishedCount.get(),
                progress.deadLetterCount.get(),
                progress.skippedCount.get(),
                progress.passedOverCount.get(),
                progress.keptCount.get(),
                progress.waitingCount.get(),
                progress.vanishedCount.get(),
                progress.lastEventTimeUs(),
                slotLag.lagBytes(),
                progress.snapshot.status());
    }

    /**
     * A policy is in force, or was activated while capture runs. Columns that do not fit it are told in the log and as a metric; their rows will be
     * refused where they are scored. Any thread.
     */
    public void policyActivated(DeclaredFields fields) {
        progress.allowAhead(fields.maxFutureSkew());
        List<String> misfits = source.misfits(fields);
        misfitCount = misfits.size();
        misfits.forEach(misfit -> log.warn("policy {}: {}", fields.policy(), misfit));
        for (TableMapping mapping : config.tables()) {
            List<String> unread = fields.unreadFields(mapping);
            if (!unread.isEmpty()) {
                log.warn(
                        "policy {} does not declare {} of table {}: nothing reads it",
                        fields.policy(),
                        unread,
                        mapping.table());
            }
        }
    }

    /** Mapped columns that do not fit the policy activated last. */
    int misfitCount() {
        return misfitCount;
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        CdcMeters.register(meters, this);
    }

    @Override
    public void close() {
        CaptureRun current;
        synchronized (lifecycle) {
            if (isClosing()) {
                return;
            }
            closing.countDown();
            current = run;
            if (publisher != null) {
                publisher.stopWaiting();
            }
        }
        if (current != null) {
            current.stop();
        }
        joinThread();
        slotLag.close();
        if (stallWatch != null) {
            stallWatch.close();
        }
        closeStore();
        if (state != ServiceState.FAILED) {
            state = ServiceState.STOPPED;
        }
    }

    private void closeStore() {
        Thread worker = thread;
        if (worker != null && worker.isAlive()) {
            log.warn("the capture engine is still busy; its state is closed with the process");
            return;
        }
        if (store != null) {
            store.close();
        }
    }

    private void joinThread() {
        Thread worker = thread;
        if (worker == null) {
            return;
        }
        try {
            worker.join(TimeUnit.SECONDS.toMillis(60));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
