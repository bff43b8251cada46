package dev.vigil.dashboard;

import dev.vigil.dashboard.avro.AvroValues;
import dev.vigil.dashboard.cases.FirstCases;
import dev.vigil.dashboard.cases.Triage;
import dev.vigil.dashboard.explain.Explanations;
import dev.vigil.dashboard.explain.FirstAnswer;
import dev.vigil.dashboard.history.HistoryQueries;
import dev.vigil.dashboard.http.ApiServer;
import dev.vigil.dashboard.http.RemoteCases;
import dev.vigil.dashboard.http.RemoteEndpoints;
import dev.vigil.dashboard.http.RemoteExplanations;
import dev.vigil.dashboard.http.SchemaRegistry;
import dev.vigil.dashboard.http.StatusPoller;
import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.dashboard.intake.PolicyLanguage;
import dev.vigil.dashboard.intake.RegistryConfig;
import dev.vigil.dashboard.intake.RegistryValues;
import dev.vigil.dashboard.kafka.KafkaCaseActions;
import dev.vigil.dashboard.kafka.KafkaDeadLetters;
import dev.vigil.dashboard.kafka.KafkaEventLog;
import dev.vigil.dashboard.kafka.KafkaIntake;
import dev.vigil.dashboard.kafka.KafkaTopics;
import dev.vigil.dashboard.kafka.PolicyFollower;
import dev.vigil.dashboard.kafka.TopicTail;
import dev.vigil.dashboard.live.AlertFeed;
import dev.vigil.dashboard.live.ScoredFeed;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.TopicNames;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.endpoint.Endpoints;
import dev.vigil.service.EpochClock;
import dev.vigil.service.VigilService;
import dev.vigil.service.kafka.KafkaConfig;
import dev.vigil.service.status.IntakeStatus;
import dev.vigil.service.status.ServiceState;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The service behind the page: follows alerts, deliveries and scored events from near their topics' end, shows the
 * statuses of all services, and takes events by HTTP and out of the intake topic into the log. It keeps nothing: after a restart it shows the recent
 * past again from the topics.
 */
public final class Dashboard implements VigilService {
    public static final String NAME = "dashboard-api";

    /** From here on a live view is no longer live, and the newest records are worth more than every record. */
    private static final long MAX_LAG_PER_PARTITION = 20_000;

    private final KafkaConfig kafka;

    private final KafkaEventLog log;
    private final KafkaCaseActions caseActions;
    private final ActivePolicy policy;
    private final PolicyFollower policyFollower;
    private final @Nullable SchemaRegistry registry;
    private final @Nullable KafkaIntake kafkaIntake;
    private final TopicTail alertTail;
    private final TopicTail scoredTail;
    private final StatusPoller poller = new StatusPoller();
    private final ApiServer server;
    private final LiveLoop loop;
    private volatile ServiceState state = ServiceState.NEW;
    private volatile @Nullable String problem;

    /**
     * @param board of the services of this process; this one and those of {@link DashboardConfig#services} are added to it
     * @param queries absent where this process has no history
     * @param engine of this process, to explain events; absent where there is none
     * @param cases of this process's alerting; absent where there is none
     * @param endpoints of the alerting of this process; absent where there is none
     * @param language that the log's policies are in
     */
    public Dashboard(
            KafkaConfig kafka,
            DashboardConfig config,
            StatusBoard board,
            @Nullable HistoryQueries queries,
            @Nullable Explanations engine,
            @Nullable Cases cases,
            @Nullable Supplier<Endpoints> endpoints,
            PolicyLanguage language,
            EpochClock clock,
            MeterRegistry meters) {
        this.kafka = kafka;

        board.add(NAME, this::status);
        config.services()
                .forEach((service, addresses) ->
                        addresses.forEach(address -> board.addRemote(poller.watch(service, address))));
        AlertFeed alerts = new AlertFeed(config.recentAlerts());
        ScoredFeed scored = new ScoredFeed(config.recentScored());
        this.policy = new ActivePolicy(language);
        this.policyFollower = new PolicyFollower(kafka, policy);
        this.log = new KafkaEventLog(kafka, config.intake());
        RegistryConfig registryConfig = config.intake().kafka().registry();
        this.registry = registryConfig == null ? null : new SchemaRegistry(registryConfig);
        this.kafkaIntake = config.intake().kafka().enabled()
                ? new KafkaIntake(
                        kafka, config.intake(), registryValues(config.intake(), registry), policy, clock, meters)
                : null;
        this.loop = new LiveLoop(board, clock);
        this.caseActions = new KafkaCaseActions(kafka);
        this.server = new ApiServer(
                config.http(),
                config.userHeader(),
                config.maxLiveClients(),
                config.intake(),
                config.query(),
                new ApiServer.Parts(
                        board,
                        loop::latest,
                        loop.history(),
                        alerts,
                        scored,
                        log,
                        policy,
                        queries,
                        explanations(engine, config),
                        new KafkaDeadLetters(kafka),
                        new Triage(cases(cases, config), caseActions, clock, Triage.PATIENCE),
                        endpoints == null ? remoteEndpoints(config) : endpoints),
                clock,
                meters);
        loop.showOn(server);
        FeedRecords records = new FeedRecords(kafka.topics(), alerts, scored, server);
        TopicNames topics = kafka.topics();
        this.alertTail = new TopicTail(
                kafka,
                "alerts",
                List.of(topics.alerts(), topics.deliveries()),
                config.recentAlerts(),
                MAX_LAG_PER_PARTITION,
                records::onRecord);
        this.scoredTail = new TopicTail(
                kafka,
                "scored",
                List.of(topics.scored()),
                config.recentScored(),
                MAX_LAG_PER_PARTITION,
                records::onRecord);
    }

    private static RegistryValues registryValues(IntakeConfig intake, @Nullable SchemaRegistry registry) {
        RegistryConfig config = intake.kafka().registry();
        return registry == null || config == null
                ? RegistryValues.none()
                : new AvroValues(registry, config.maxSchemas(), intake.maxDataBytes());
    }

    private static Explanations explanations(@Nullable Explanations engine, DashboardConfig config) {
        List<Explanations> engines = new ArrayList<>();
        if (engine != null) {
            engines.add(engine);
        }
        config.services().getOrDefault("scoring-engine", List.of()).stream()
                .map(RemoteExplanations::new)
                .forEach(engines::add);
        return new FirstAnswer(engines);
    }

    private static Cases cases(@Nullable Cases here, DashboardConfig config) {
        List<Cases> places = new ArrayList<>();
        if (here != null) {
            places.add(here);
        }
        config.services().getOrDefault("alerting", List.of()).stream()
                .map(RemoteCases::new)
                .forEach(places::add);
        return new FirstCases(places);
    }

    private static Supplier<Endpoints> remoteEndpoints(DashboardConfig config) {
        Endpoints remote = new RemoteEndpoints(config.services().getOrDefault("alerting", List.of()));
        return () -> remote;
    }

    /** @throws dev.vigil.service.ServiceException if the port is taken, or the broker or its topics are not as configured */
    @Override
    public void start() {
        state = ServiceState.STARTING;
        try {
            KafkaTopics.ensure(kafka);
            server.start(DashboardConfig.SECTION);
        } catch (RuntimeException e) {
            problem = e.getMessage();
            state = ServiceState.FAILED;
            throw e;
        }
        policyFollower.start();
        if (kafkaIntake != null) {
            kafkaIntake.start();
        }
        alertTail.start();
        scoredTail.start();
        poller.start();
        loop.start();
        state = ServiceState.RUNNING;
    }

    /** Not running before the log was read for the active policy; without one it runs, and says that it takes no events. */
    @Override
    public IntakeStatus status() {
        ServiceState current = state;
        String reason = problem;
        if (current == ServiceState.RUNNING) {
            switch (policy.state()) {
                case READING -> current = ServiceState.STARTING;
                case NONE -> reason = "no policy is active, so no events are taken; 'vigil policy apply' activates one";
                case ACTIVE -> {}
            }
        }
        return new IntakeStatus(
                NAME,
                current,
                reason,
                server.acceptedEvents(),
                server.refusedEvents(),
                server.liveClients(),
                kafkaIntake == null ? null : kafkaIntake.status());
    }

    /** The port that it listens on. @throws IllegalStateException before the start */
    public int port() {
        return server.port();
    }

    /** Where the page is. @throws IllegalStateException before the start */
    public String url() {
        return server.url();
    }

    @Override
    public void close() {
        loop.close();
        server.close();
        poller.close();
        if (kafkaIntake != null) {
            kafkaIntake.close();
        }
        if (registry != null) {
            registry.close();
        }
        policyFollower.close();
        alertTail.close();
        scoredTail.close();
        log.close();
        caseActions.close();
        if (state != ServiceState.FAILED) {
            state = ServiceState.STOPPED;
        }
    }
}
