package dev.vigil.launcher;

import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.receiver.WebhookReceiver;
import dev.vigil.alerting.service.Alerting;
import dev.vigil.cdc.debezium.CdcIngest;
import dev.vigil.config.ConfigDocument;
import dev.vigil.dashboard.Dashboard;
import dev.vigil.demo.BankDatabase;
import dev.vigil.demo.TrafficConfig;
import dev.vigil.demo.TrafficPlayer;
import dev.vigil.demo.TrafficStats;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.BankShape;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.kafka.LogVerifier;
import dev.vigil.engine.kafka.PolicyPublisher;
import dev.vigil.engine.kafka.PolicyRefusedException;
import dev.vigil.engine.kafka.ScoringEngine;
import dev.vigil.event.EventTimes;
import dev.vigil.event.TopicNames;
import dev.vigil.lakehouse.service.Lakehouse;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.kafka.TopicSetup;
import dev.vigil.service.status.EngineStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of the demo: infrastructure, services, traffic, and at the end the figures. Everything lives below one data
 * directory; a second run on it continues. Called by one thread.
 */
final class DemoRun implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DemoRun.class);
    private static final Duration SNAPSHOT_TIMEOUT = Duration.ofMinutes(5);
    private static final long LOOK_MS = 250;
    private static final long STATUS_LINE_MS = 10_000;
    /** Scoring this many again takes about half a minute; a longer log is left to 'vigil verify'. */
    private static final long REPLAYED_RECORDS_MAX = 1_000_000;

    /**
     * What to play and where.
     *
     * @param acceptGap whether to read the tables anew where changes were lost to capture
     * @param acceptingCommand what starts the demo again with that
     */
    record Settings(
            Path data,
            double rate,
            Optional<Duration> duration,
            long seed,
            int port,
            Optional<Path> policyFile,
            boolean acceptGap,
            String acceptingCommand) {}

    private final Settings settings;
    private final DemoConsole console;
    private final StopSignal stop;
    private final Deque<AutoCloseable> resources = new ArrayDeque<>();
    private final long startedAtMs = SystemClock.INSTANCE.epochMs();
    /** That scored in this run, in order. */
    private final Set<String> policies = new LinkedHashSet<>();

    private long trafficStartedAtMs;
    private @Nullable VigilConfig config;
    private @Nullable Deployment deployment;
    private @Nullable BankDatabase bankDatabase;
    private @Nullable RaisedAlerts raisedAlerts;
    private @Nullable TrafficPlayer player;
    private @Nullable WebhookReceiver receiver;

    private DemoRun(Settings settings, PrintWriter out, StopSignal stop) {
        this.settings = settings;
        this.stop = stop;
        this.console = new DemoConsole(out);
    }

    /** Starts everything; when it returns, traffic plays. Whatever fails, what was started is stopped again. */
    static DemoRun start(Settings settings, PrintWriter out, StopSignal stop) throws IOException, SQLException {
        DemoRun run = new DemoRun(settings, out, stop);
        try {
            run.startAll();
            return run;
        } catch (IOException | SQLException | RuntimeException e) {
            run.close();
            throw e;
        }
    }

    private void startAll() throws IOException, SQLException {
        Path data = settings.data();
        Policy policy = policy();
        begin("starting Kafka");
        EmbeddedKafka kafka = keep(EmbeddedKafka.start(data.resolve("kafka")));
        begin("starting PostgreSQL");
        EmbeddedDatabase database = keep(EmbeddedDatabase.start(data.resolve("postgres")));
        String secret = secret(data.resolve("webhook-secret"));
        WebhookReceiver hooks =
                keep(WebhookReceiver.start(0, new WebhookSecret(secret), SystemClock.INSTANCE, console::alertReceived));
        receiver = hooks;
        begin("opening the bank");
        BankDatabase bankStore = keep(BankDatabase.connect(database.jdbcUrl(), database.user(), database.password()));
        bankDatabase = bankStore;
        Bank bank = bankStore.openBank(
                BankShape.forRate(settings.seed(), settings.rate()),
                Instant.ofEpochMilli(SystemClock.INSTANCE.epochMs()));
        String text = DemoConfigText.write(kafka.bootstrapServers(), database, hooks, secret, settings);
        Path file = data.resolve("vigil.yaml");
        WholeFile.write(file, text);
        VigilConfig loaded = VigilConfig.from(ConfigDocument.parse(file.toString(), text), data);
        config = loaded;
        activate(loaded.kafka(), policy);
        begin("starting the services");
        Deployment services = keep(new Deployment(loaded, EnumSet.allOf(ServiceName.class)));
        deployment = services;
        try {
            services.start();
        } catch (ServiceException e) {
            requireNoGap();
            throw e;
        }
        begin("capturing what the bank has so far");
        awaitSnapshot();
        String url =
                services.service(ServiceName.DASHBOARD_API, Dashboard.class).url();
        raisedAlerts = keep(new RaisedAlerts(loaded.kafka()));
        console.ready(url, kafka.bootstrapServers(), database.uri(), data);
        notePolicy();
        trafficStartedAtMs = SystemClock.INSTANCE.epochMs();
        player = keep(TrafficPlayer.start(
                new TrafficConfig(settings.rate(), settings.duration(), URI.create(url)),
                bank,
                bankStore,
                SystemClock.INSTANCE));
    }

    /** So that the first payments are captured as they happen, and not behind the bank's past. */
    private void awaitSnapshot() {
        long deadlineMs = SystemClock.INSTANCE.epochMs() + SNAPSHOT_TIMEOUT.toMillis();
        while (!capture().status().phase().equals("streaming")) {
            requireNoStop();
            requireRunning();
            if (SystemClock.INSTANCE.epochMs() > deadlineMs) {
                throw new ServiceException("the bank's past was not captured within " + SNAPSHOT_TIMEOUT.toSeconds()
                        + " s; the log file says more");
            }
            sleep();
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(LOOK_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ServiceException("interrupted", e);
        }
    }

    private void begin(String step) {
        requireNoStop();
        console.step(step);
    }

    private void requireNoStop() {
        if (stop.isRequested()) {
            throw new CommandFailure("stopped before it had started");
        }
    }

    private <T extends AutoCloseable> T keep(T resource) {
        resources.push(resource);
        return resource;
    }

    private Policy policy() {
        return settings.policyFile().map(Deployment::readPolicy).orElseGet(DemoPolicy::read);
    }

    private void activate(KafkaConfig kafka, Policy policy) {
        TopicSetup.ensure(kafka, "vigil-demo");
        PolicyPublisher publisher = new PolicyPublisher(kafka);
        Optional<Path> named = settings.policyFile();
        // What 'vigil policy apply' activated since stays; a policy named on the command line is meant, whichever
        // version.
        if (named.isPresent() || publisher.active().isEmpty()) {
            try {
                publisher.apply(
                        policy, EventTimes.fromEpochMs(SystemClock.INSTANCE.epochMs()), PolicyPublisher.Versions.ANY);
            } catch (PolicyRefusedException e) {
                throw new CommandFailure(
                        named.map(file -> Deployment.placed(file, policy, e)).orElse(String.valueOf(e.getMessage())));
            }
        }
    }

    private static String secret(Path file) throws IOException {
        if (Files.exists(file)) {
            return Files.readString(file).strip();
        }
        byte[] key = new byte[24];
        new SecureRandom().nextBytes(key);
        String secret = "whsec_" + Base64.getEncoder().encodeToString(key);
        WholeFile.write(file, secret + "\n");
        return secret;
    }

    /** Plays until the duration is over, or a stop is requested, or a service fails. */
    void play() throws InterruptedException {
        long lineAtMs = SystemClock.INSTANCE.epochMs();
        TrafficPlayer traffic = require(player);
        while (!stop.await(LOOK_MS)) {
            requireRunning();
            if (traffic.awaitEnd(Duration.ofMillis(1))) {
                return;
            }
            long nowMs = SystemClock.INSTANCE.epochMs();
            if (nowMs - lineAtMs >= STATUS_LINE_MS) {
                lineAtMs = nowMs;
                judgeAlerts();
                notePolicy();
                console.status(
                        engine().status(), alerting().status(), lakehouse().status(), nowMs);
            }
        }
    }

    private void requireRunning() {
        require(deployment).failure().ifPresent(failure -> {
            requireNoGap();
            throw new ServiceException(failure);
        });
    }

    /** The configuration is written anew at each start, so that a gap is not accepted there but by an option. */
    private void requireNoGap() {
        capture().gap().ifPresent(gap -> {
            throw new CommandFailure(gap.message("run once: " + settings.acceptingCommand()));
        });
    }

    /** Now and then, since somebody may activate another while the demo runs. */
    private void notePolicy() {
        EngineStatus status = engine().status();
        if (status.policy() != null) {
            policies.add(status.policy() + " version " + status.policyVersion());
        }
    }

    /** Now and then, since of fraud planted long ago only sums are kept. */
    private void judgeAlerts() {
        require(raisedAlerts).readOn(require(player).planted()::alerted);
    }

    /** Stops the traffic, waits until every record has reached its end, and adds the figures up. */
    DemoReport finish() throws InterruptedException, SQLException {
        console.step("stopping: waiting until every event has reached its end");
        TrafficPlayer traffic = require(player);
        traffic.close();
        long endedAtMs = SystemClock.INSTANCE.epochMs();
        TrafficStats stats = traffic.stats();
        DemoRest rest = new DemoRest(require(deployment), require(config), console);
        List<String> unfinished = new ArrayList<>(rest.await());
        judgeAlerts();
        notePolicy();
        unfinished.addAll(rest.awaitHistory());
        DemoHistory history = rest.history();
        BankDatabase bank = require(bankDatabase);
        TopicNames topics = require(config).kafka().topics();
        long logRecords = records(topics.events());
        return DemoReport.of(new DemoReport.Figures(
                (endedAtMs - startedAtMs) / 1_000.0,
                (endedAtMs - trafficStartedAtMs) / 1_000.0,
                List.copyOf(policies),
                engine().status(),
                alerting().status(),
                lakehouse().status(),
                require(deployment)
                        .service(ServiceName.CDC_INGEST, CdcIngest.class)
                        .status(),
                stats,
                bank.paymentCount(),
                bank.labelCount(),
                logRecords,
                records(topics.deadLetters()),
                history,
                traffic.planted().findings(),
                require(receiver).counts().distinctAlerts(),
                unfinished.isEmpty() ? replay(logRecords) : null,
                unfinished));
    }

    private LogVerifier.@Nullable Result replay(long logRecords) {
        if (logRecords > REPLAYED_RECORDS_MAX) {
            return null;
        }
        console.step("scoring the log again from its start");
        return new LogVerifier(require(config).kafka(), Long.MIN_VALUE, Long.MAX_VALUE, null).verify();
    }

    private long records(String topic) throws InterruptedException {
        KafkaConfig kafka = require(config).kafka();
        Map<TopicPartition, OffsetSpec> partitions = IntStream.range(0, kafka.partitions())
                .mapToObj(partition -> new TopicPartition(topic, partition))
                .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest()));
        try (Admin admin = KafkaClients.admin(kafka, "vigil-demo")) {
            return admin.listOffsets(partitions).all().get().values().stream()
                    .mapToLong(offset -> offset.offset())
                    .sum();
        } catch (ExecutionException e) {
            throw ServiceException.because("the end of " + topic + " is not known", e);
        }
    }

    private CdcIngest capture() {
        return require(deployment).service(ServiceName.CDC_INGEST, CdcIngest.class);
    }

    private ScoringEngine engine() {
        return require(deployment).service(ServiceName.SCORING_ENGINE, ScoringEngine.class);
    }

    private Alerting alerting() {
        return require(deployment).service(ServiceName.ALERTING, Alerting.class);
    }

    private Lakehouse lakehouse() {
        return require(deployment).service(ServiceName.LAKEHOUSE_SINK, Lakehouse.class);
    }

    private static <T> T require(@Nullable T started) {
        return java.util.Objects.requireNonNull(started, "not started");
    }

    @Override
    public void close() {
        while (!resources.isEmpty()) {
            AutoCloseable resource = resources.pop();
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("{} did not close cleanly: {}", resource.getClass().getSimpleName(), e.toString());
            }
        }
    }
}
