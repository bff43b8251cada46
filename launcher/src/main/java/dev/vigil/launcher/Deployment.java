package dev.vigil.launcher;

import dev.vigil.alerting.service.Alerting;
import dev.vigil.cdc.debezium.CdcIngest;
import dev.vigil.cdc.kafka.ActivationWatch;
import dev.vigil.config.ConfigDocument;
import dev.vigil.dashboard.Dashboard;
import dev.vigil.dashboard.explain.Explanations;
import dev.vigil.dashboard.http.ServiceEndpoint;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.engine.kafka.PolicyPublisher;
import dev.vigil.engine.kafka.PolicyRefusedException;
import dev.vigil.engine.kafka.ScoringEngine;
import dev.vigil.event.EventTimes;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.endpoint.Endpoints;
import dev.vigil.lakehouse.service.Lakehouse;
import dev.vigil.scoring.Policies;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.service.EpochClock;
import dev.vigil.service.ServiceException;
import dev.vigil.service.VigilService;
import dev.vigil.service.kafka.BrokerAddresses;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.TopicSetup;
import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.ServiceStatus;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The services of one process, put together from the configuration. Started in the order of {@link ServiceName}, closed in
 * the reverse one, so that what is produced while closing is still consumed.
 */
final class Deployment implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Deployment.class);

    private final VigilConfig config;
    private final EpochClock clock = SystemClock.INSTANCE;
    private final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final StatusBoard board = new StatusBoard();
    private final Map<ServiceName, VigilService> services = new EnumMap<>(ServiceName.class);
    private final ProcessMeters processMeters;
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    Deployment(VigilConfig config, Set<ServiceName> names) {
        this.config = config;
        requireBrokerSettings();
        if (names.contains(ServiceName.CDC_INGEST) && config.cdc().isEmpty()) {
            throw new ServiceException("cdc-ingest: expected a section 'cdc' in the configuration, found none");
        }
        for (ServiceName name : ServiceName.values()) {
            if (names.contains(name)) {
                VigilService service = create(name);
                services.put(name, service);
                if (name != ServiceName.DASHBOARD_API) {
                    board.add(name.label(), service::status);
                }
            }
        }
        processMeters = new ProcessMeters(meters, services);
    }

    private VigilService create(ServiceName name) {
        Path directory = config.dataDirectory().resolve(name.label());
        return switch (name) {
            case LAKEHOUSE_SINK -> new Lakehouse(config.kafka(), config.lakehouse(), directory, clock, meters);
            case ALERTING -> new Alerting(config.kafka(), config.alerting(), directory, clock, meters);
            case SCORING_ENGINE -> new ScoringEngine(config.kafka(), config.scoring(), directory, clock, meters);
            case DASHBOARD_API ->
                new Dashboard(
                        config.kafka(),
                        config.dashboard(),
                        board,
                        history(),
                        engine(),
                        cases(),
                        endpoints(),
                        new LogPolicies(config.scoring().firstPolicy()),
                        clock,
                        meters);
            case CDC_INGEST -> cdc(directory);
        };
    }

    /** The engine of this process, created before whoever asks it; null if there is none. */
    private @Nullable Explanations engine() {
        return services.get(ServiceName.SCORING_ENGINE) instanceof ScoringEngine engine ? engine::explain : null;
    }

    /** The cases of this process's alerting, created before whoever asks for them; null if there is none. */
    private @Nullable Cases cases() {
        return null;
    }

    /** Of the alerting of this process, created before whoever asks it; null if there is none. */
    private @Nullable Supplier<Endpoints> endpoints() {
        return services.get(ServiceName.ALERTING) instanceof Alerting alerting ? alerting::endpoints : null;
    }

    private CdcIngest cdc(Path directory) {
        CdcIngest cdc =
                new CdcIngest(config.cdc().orElseThrow(), config.kafka(), directory, PolicyFields.of(config.policy()));
        cdc.bindTo(meters);
        return cdc;
    }

    private HistoryAdapter history() {
        return new HistoryAdapter(
                config.lakehouse(), config.dataDirectory().resolve(ServiceName.LAKEHOUSE_SINK.label()));
    }

    /** @throws ServiceException if one of them cannot start; those before it run until {@link #close} */
    void start() {
        if (services.containsKey(ServiceName.SCORING_ENGINE)) {
            activateFirstPolicy();
        }
        for (VigilService service : services.values()) {
            started.push(service);
            service.start();
        }
        if (services.get(ServiceName.CDC_INGEST) instanceof CdcIngest capture) {
            watchPolicies(capture);
        }
        if (!services.containsKey(ServiceName.DASHBOARD_API)) {
            ServiceEndpoint endpoint = ServiceEndpoint.start(
                    config.endpoint(),
                    VigilConfig.ENDPOINT_SECTION,
                    board,
                    engine(),
                    cases(),
                    endpoints(),
                    clock,
                    meters);
            started.push(endpoint);
            LOG.info("health, metrics and status at {}", endpoint.url());
        }
    }

    private void watchPolicies(CdcIngest capture) {
        ActivationWatch watch = new ActivationWatch(
                config.kafka(), text -> capture.policyActivated(PolicyFields.of(Policies.check("the log", text))));
        watch.start();
        started.push(watch);
    }

    /** Before any service finds out: they know no place in the configuration. */
    private void requireBrokerSettings() {
        if (BrokerAddresses.parse(config.kafka().bootstrapServers()).known().isEmpty()) {
            throw new ServiceException(String.valueOf(config.unknownHosts().getMessage()));
        }
        try {
            KafkaClients.requireUsable(config.kafka(), "vigil-launcher");
        } catch (KafkaException e) {
            throw config.refusedByKafka(e);
        }
    }

    /** A log without a policy would dead-letter every event, so the configured one comes first. */
    private void activateFirstPolicy() {
        Optional<Policy> configured = config.readPolicy();
        try (Admin admin = KafkaClients.admin(config.kafka(), "vigil-launcher")) {
            TopicSetup.ensure(admin, config.kafka());
        }
        PolicyPublisher publisher = new PolicyPublisher(config.kafka());
        Optional<String> active = publisher.active();
        if (active.isEmpty() && configured.isPresent()) {
            publisher.activate(configured.get(), EventTimes.fromEpochMs(clock.epochMs()));
            LOG.info(
                    "activated policy {} version {}",
                    configured.get().name(),
                    configured.get().version());
        } else if (active.isEmpty() && config.scoring().firstPolicy() == null) {
            LOG.warn("the log has no policy; events are dead-lettered until 'vigil policy apply' activates one");
        } else if (configured.isPresent() && !configured.get().text().equals(active.get())) {
            LOG.warn(
                    "the active policy differs from {}; 'vigil policy apply' activates it",
                    config.policy().get());
        }
    }

    static Policy readPolicy(Path file) {
        return Policies.check(file.toString(), ConfigDocument.readText(file));
    }

    /** Why a policy of a file was refused, with line and column of the field. */
    static String placed(Path file, Policy policy, PolicyRefusedException refusal) {
        return ConfigDocument.parse(file.toString(), policy.text())
                        .require(refusal.field())
                        .place()
                + ": " + refusal.getMessage();
    }

    /** The service; null if this process does not run it. */
    @Nullable
    VigilService service(ServiceName name) {
        return services.get(name);
    }

    <T extends VigilService> T service(ServiceName name, Class<T> type) {
        return type.cast(java.util.Objects.requireNonNull(services.get(name)));
    }

    /** Why the process cannot go on: the first service that failed; empty while all run. */
    Optional<String> failure() {
        return services.values().stream()
                .map(VigilService::status)
                .filter(status -> status.state() == ServiceState.FAILED)
                .map(Deployment::describe)
                .findFirst();
    }

    private static String describe(ServiceStatus status) {
        String problem = status.problem();
        return status.service() + ": " + (problem == null ? "failed" : problem);
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            AutoCloseable next = started.pop();
            try {
                next.close();
            } catch (Exception e) {
                LOG.warn("{} did not close cleanly: {}", next, e.toString());
            }
        }
        processMeters.close();
        meters.close();
    }
}
