package dev.vigil.dashboard.http;

import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.service.EpochClock;
import dev.vigil.service.status.ServiceState;
import dev.vigil.service.status.ServiceStatus;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What operators and other Vigil processes ask: health, readiness, metrics, statuses. */
final class OperationRoutes implements WebServer.Routes {
    private final StatusBoard board;
    private final EpochClock clock;
    private final MeterRegistry meters;

    OperationRoutes(StatusBoard board, EpochClock clock, MeterRegistry meters) {
        this.board = board;
        this.clock = clock;
        this.meters = meters;
    }

    record Statuses(long atMs, List<ServiceStatus> services) {}

    record Health(String status, List<Service> services) {
        record Service(
                String service,
                ServiceState state,
                @Nullable String problem) {}
    }

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.get("/health", ctx -> answer(ctx, "up", "down", status -> status.state() != ServiceState.FAILED));
        routes.get("/ready", ctx -> answer(ctx, "ready", "not ready", s -> s.state() == ServiceState.RUNNING));
        routes.get("/metrics", this::metrics);
        routes.get("/api/v1/status", ctx -> ApiJson.write(ctx, 200, new Statuses(clock.epochMs(), board.all())));
    }

    /** Of this process's services alone: a restart here cannot mend another process. */
    private void answer(Context ctx, String good, String bad, Predicate<ServiceStatus> isGood) {
        List<ServiceStatus> statuses = board.local();
        boolean allGood = statuses.stream().allMatch(isGood);
        List<Health.Service> services = statuses.stream()
                .map(s -> new Health.Service(s.service(), s.state(), s.problem()))
                .toList();
        ApiJson.write(ctx, allGood ? 200 : 503, new Health(allGood ? good : bad, services));
    }

    private void metrics(Context ctx) {
        PrometheusMeterRegistry registry = prometheus(meters)
                .orElseThrow(() -> new ProblemException(
                        Problem.of(404, "no-metrics", "No metrics", "This process has no Prometheus registry.")));
        ctx.contentType("text/plain; version=0.0.4; charset=utf-8").result(registry.scrape());
    }

    private static Optional<PrometheusMeterRegistry> prometheus(MeterRegistry meters) {
        if (meters instanceof PrometheusMeterRegistry prometheus) {
            return Optional.of(prometheus);
        }
        if (meters instanceof CompositeMeterRegistry composite) {
            return composite.getRegistries().stream()
                    .flatMap(registry -> prometheus(registry).stream())
                    .findFirst();
        }
        return Optional.empty();
    }
}
