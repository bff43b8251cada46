package dev.vigil.dashboard.http;

import dev.vigil.dashboard.explain.Explanations;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.endpoint.Endpoints;
import dev.vigil.service.EpochClock;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The port of a service that runs alone: {@code /health} (503: restart me), {@code /ready} (503: send me no work yet),
 * {@code /metrics} for Prometheus, {@code /api/v1/status} for the dashboard of another process, and what that asks an engine or alerting.
 * No authentication; see {@link HttpConfig} for where it listens. {@link #close} is idempotent.
 */
public final class ServiceEndpoint implements AutoCloseable {
    private static final int MAX_BODY_BYTES = 64 * 1_024;

    private final WebServer server;

    private ServiceEndpoint(WebServer server) {
        this.server = server;
    }

    /**
     * @param section of the configuration that names host and port, for complaints
     * @throws dev.vigil.service.ServiceException if the port cannot be had
     */
    public static ServiceEndpoint start(
            HttpConfig config, String section, StatusBoard board, EpochClock clock, MeterRegistry meters) {
        return start(config, section, board, null, null, clock, meters);
    }

    /**
     * The same with what services of this process can be asked besides.
     *
     * @param engine whose scored events are explained here; absent where there is none
     * @param cases of alerting, to look at; absent where there is none
     */
    public static ServiceEndpoint start(
            HttpConfig config,
            String section,
            StatusBoard board,
            @Nullable Explanations engine,
            @Nullable Cases cases,
            EpochClock clock,
            MeterRegistry meters) {
        return start(config, section, board, engine, cases, null, clock, meters);
    }

    /**
     * As the other.
     *
     * @param endpoints of alerting, which are managed here; absent where there is none
     */
    public static ServiceEndpoint start(
            HttpConfig config,
            String section,
            StatusBoard board,
            @Nullable Explanations engine,
            @Nullable Cases cases,
            @Nullable Supplier<Endpoints> endpoints,
            EpochClock clock,
            MeterRegistry meters) {
        List<WebServer.Routes> routes = new ArrayList<>();
        routes.add(new OperationRoutes(board, clock, meters));
        if (engine != null) {
            routes.add(new ExplainRoutes(engine));
        }
        if (cases != null) {
            routes.add(new CaseRoutes(cases));
        }
        if (endpoints != null) {
            routes.add(new EndpointRoutes(endpoints));
        }
        return new ServiceEndpoint(WebServer.start(config, section, MAX_BODY_BYTES, meters, routes));
    }

    public int port() {
        return server.port();
    }

    public String url() {
        return server.url();
    }

    @Override
    public void close() {
        server.close();
    }
}
