package dev.vigil.dashboard.http;

import dev.vigil.dashboard.live.AlertFeed;
import dev.vigil.dashboard.live.AlertView;
import dev.vigil.dashboard.live.LiveSnapshot;
import dev.vigil.dashboard.live.MetricsHistory;
import dev.vigil.dashboard.live.ScoredFeed;
import dev.vigil.event.ScoredEvent;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** What is live: figures, alerts, scored events, and the stream of all that. */
final class LiveRoutes implements WebServer.Routes {
    private static final int DEFAULT_LIMIT = 50;
    private static final int MAX_LIMIT = 1_000;

    private final Supplier<LiveSnapshot> snapshot;
    private final MetricsHistory history;
    private final AlertFeed alerts;
    private final ScoredFeed scored;
    private final LiveStream stream;

    LiveRoutes(
            Supplier<LiveSnapshot> snapshot,
            MetricsHistory history,
            AlertFeed alerts,
            ScoredFeed scored,
            LiveStream stream) {
        this.snapshot = snapshot;
        this.history = history;
        this.alerts = alerts;
        this.scored = scored;
        this.stream = stream;
    }

    record Alerts(List<AlertView> alerts) {}

    record Scored(List<ScoredEvent> events) {}

    record History(List<MetricsHistory.Point> points) {}

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.get("/api/v1/metrics/live", ctx -> ApiJson.write(ctx, 200, snapshot.get()));
        routes.get("/api/v1/metrics/history", ctx -> ApiJson.write(ctx, 200, new History(history.points())));
        routes.get("/api/v1/alerts", this::alerts);
        routes.get("/api/v1/alerts/{id}", this::alert);
        routes.get("/api/v1/scored/recent", this::scored);
        routes.get("/api/v1/live", stream::open);
    }

    private void alerts(Context ctx) {
        int limit = Parameters.limit(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        ApiJson.write(ctx, 200, new Alerts(alerts.recent(limit, Parameters.text(ctx, "account"))));
    }

    private void alert(Context ctx) {
        AlertView found = alerts.find(ctx.pathParam("id"))
                .orElseThrow(() -> new ProblemException(Problem.of(
                        404,
                        "no-such-alert",
                        "No such alert",
                        "It is not among the recent alerts that are kept here.")));
        ApiJson.write(ctx, 200, found);
    }

    private void scored(Context ctx) {
        int limit = Parameters.limit(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        String account = Parameters.text(ctx, "account");
        byte[] key = account == null ? null : account.getBytes(StandardCharsets.UTF_8);
        ApiJson.write(ctx, 200, new Scored(scored.recent(limit, key)));
    }
}
