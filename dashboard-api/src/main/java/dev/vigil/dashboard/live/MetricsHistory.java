package dev.vigil.dashboard.live;

import dev.vigil.service.status.LatencyStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One point per second over the last fifteen minutes, so that a page that opens has its charts at once. Thread-safe. */
public final class MetricsHistory {
    private static final int MAX_POINTS = 900;

    private final Deque<Point> points = new ArrayDeque<>();

    /** A second; what was not known then is absent. Latencies over about the minute before. */
    public record Point(
            long atMs,
            @Nullable Double eventsPerSecond,
            @Nullable Double alertsPerSecond,
            @Nullable Long decisionMsP50,
            @Nullable Long decisionMsP99,
            @Nullable Long deliveryMsP50,
            @Nullable Long deliveryMsP99) {
        static Point of(LiveSnapshot snapshot) {
            LatencyStatus decision = recent(snapshot.decisionLatency());
            LatencyStatus delivery = recent(snapshot.deliveryLatency());
            return new Point(
                    snapshot.atMs(),
                    snapshot.eventsPerSecond(),
                    snapshot.alertsPerSecond(),
                    decision == null ? null : decision.p50Ms(),
                    decision == null ? null : decision.p99Ms(),
                    delivery == null ? null : delivery.p50Ms(),
                    delivery == null ? null : delivery.p99Ms());
        }

        private static @Nullable LatencyStatus recent(LiveSnapshot.@Nullable Latency latency) {
            return latency == null ? null : latency.recent();
        }
    }

    public synchronized void add(LiveSnapshot snapshot) {
        points.addLast(Point.of(snapshot));
        if (points.size() > MAX_POINTS) {
            points.removeFirst();
        }
    }

    /** Oldest first. */
    public synchronized List<Point> points() {
        return List.copyOf(points);
    }
}
