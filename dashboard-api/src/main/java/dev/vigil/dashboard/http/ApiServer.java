package dev.vigil.dashboard.http;

import dev.vigil.dashboard.cases.Triage;
import dev.vigil.dashboard.cases.Wording;
import dev.vigil.dashboard.deadletter.DeadLetters;
import dev.vigil.dashboard.explain.Explanations;
import dev.vigil.dashboard.history.HistoryQueries;
import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.CloudEventReader;
import dev.vigil.dashboard.intake.EventLog;
import dev.vigil.dashboard.intake.IntakeConfig;
import dev.vigil.dashboard.live.AlertFeed;
import dev.vigil.dashboard.live.AlertView;
import dev.vigil.dashboard.live.DeliveryView;
import dev.vigil.dashboard.live.LiveSnapshot;
import dev.vigil.dashboard.live.MetricsHistory;
import dev.vigil.dashboard.live.ScoredFeed;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.card.CardNumberGuard;
import dev.vigil.event.endpoint.Endpoints;
import dev.vigil.service.EpochClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The dashboard's port: everything of the API, and the page. Safe for any thread once started. */
public final class ApiServer implements AutoCloseable {
    private final HttpConfig config;
    private final int maxBodyBytes;
    private final MeterRegistry meters;
    private final LiveStream stream;
    private final QueryRoutes queries;
    private final IntakeMeters intakeMeters;
    private final List<WebServer.Routes> routes;
    private @Nullable WebServer server;

    /**
     * What the server shows and where it sends.
     *
     * @param snapshot answers at once
     * @param queries absent where this process has no history
     * @param explanations of the engines, here and elsewhere
     * @param triage of the cases of alerting, here or elsewhere
     * @param endpoints of alerting, here or elsewhere
     */
    public record Parts(
            StatusBoard board,
            Supplier<LiveSnapshot> snapshot,
            MetricsHistory metrics,
            AlertFeed alerts,
            ScoredFeed scored,
            EventLog log,
            ActivePolicy policy,
            @Nullable HistoryQueries queries,
            Explanations explanations,
            DeadLetters deadLetters,
            Triage triage,
            Supplier<Endpoints> endpoints) {}

    /** @param userHeader in which trusted proxies say who is calling; absent: none does */
    public ApiServer(
            HttpConfig config,
            @Nullable String userHeader,
            int maxLiveClients,
            IntakeConfig intake,
            QueryConfig query,
            Parts parts,
            EpochClock clock,
            MeterRegistry meters) {
        this.config = config;
        this.maxBodyBytes = intake.maxBodyBytes();
        this.meters = meters;
        this.stream = new LiveStream(clock, maxLiveClients);
        this.queries = new QueryRoutes(query, parts.queries(), clock);
        IntakeRoutes intakeRoutes =
                new IntakeRoutes(intake, parts.policy(), new CloudEventReader(intake, clock), parts.log(), meters);
        this.intakeMeters = intakeRoutes.meters();
        UserNames users =
                new UserNames(userHeader, new ClientAddress(intake.rateLimit().trustedProxies()));
        Wording wording = new Wording(new CardNumberGuard(intake.cardNumbers()));
        this.routes = List.of(
                new OperationRoutes(parts.board(), clock, meters),
                new LiveRoutes(parts.snapshot(), parts.metrics(), parts.alerts(), parts.scored(), stream),
                intakeRoutes,
                queries,
                new ExplainRoutes(parts.explanations()),
                new DeadLetterRoutes(parts.deadLetters()),
                new CaseRoutes(parts.triage().cases()),
                new CaseActionRoutes(parts.triage(), wording, users),
                new EndpointRoutes(parts.endpoints()),
                new PolicyRoutes(parts.board()),
                new PageRoutes(
                        parts.queries() == null
                                ? List.of("intake", "dead-letters", "cases")
                                : List.of("intake", "dead-letters", "cases", "history"),
                        users));
    }

    /**
     * @param section of the configuration that names host and port, for complaints
     * @throws dev.vigil.service.ServiceException if the port cannot be had
     */
    public void start(String section) {
        server = WebServer.start(config, section, maxBodyBytes, meters, routes);
    }

    List<WebServer.Routes> routes() {
        return routes;
    }

    /** @throws IllegalStateException before the start */
    public int port() {
        return started().port();
    }

    /** @throws IllegalStateException before the start */
    public String url() {
        return started().url();
    }

    private WebServer started() {
        WebServer running = server;
        if (running == null) {
            throw new IllegalStateException("not started");
        }
        return running;
    }

    /** To be called about once a second; lets go of clients that take nothing, too. */
    public void publish(LiveSnapshot snapshot) {
        stream.publish(snapshot);
    }

    public void publish(AlertView alert) {
        stream.publish(alert);
    }

    public void publish(String alertId, DeliveryView delivery) {
        stream.publish(alertId, delivery);
    }

    /** To be called in every second in which there is no snapshot to publish. */
    public void heartbeat() {
        stream.heartbeat();
    }

    public int liveClients() {
        return stream.clientCount();
    }

    public long acceptedEvents() {
        return intakeMeters.acceptedCount();
    }

    public long refusedEvents() {
        return intakeMeters.refusedCount();
    }

    /** Ends the open streams, refuses new requests, lets go of the port. Idempotent. */
    @Override
    public void close() {
        stream.close();
        queries.close();
        WebServer running = server;
        if (running != null) {
            running.close();
        }
    }
}
