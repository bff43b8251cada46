package dev.vigil.dashboard.http;

import io.javalin.http.Context;
import io.javalin.http.RequestLogger;
import io.javalin.router.Endpoint;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * Counts and times requests by route, method and status. Nothing that a client chooses becomes a label: paths that match
 * no route share one.
 */
final class RequestMeters implements RequestLogger {
    private final MeterRegistry meters;

    RequestMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    @Override
    public void handle(Context ctx, Float elapsedMs) {
        Timer.builder("vigil.http.requests")
                .description("Requests by route")
                .tag("route", route(ctx))
                .tag("method", method(ctx))
                .tag("status", Integer.toString(ctx.statusCode()))
                .register(meters)
                .record(Duration.ofNanos((long) (elapsedMs * 1_000_000)));
    }

    private static String route(Context ctx) {
        Endpoint endpoint = ctx.endpoints().matchedHttpEndpoint();
        return endpoint == null ? "unmatched" : endpoint.path;
    }

    private static String method(Context ctx) {
        return switch (ctx.req().getMethod()) {
            case "GET", "HEAD", "POST" -> ctx.req().getMethod();
            default -> "other";
        };
    }
}
