package dev.vigil.dashboard;

import dev.vigil.dashboard.http.ApiServer;
import dev.vigil.dashboard.live.LiveSnapshot;
import dev.vigil.dashboard.live.MetricsHistory;
import dev.vigil.dashboard.live.RateMeter;
import dev.vigil.dashboard.status.StatusBoard;
import dev.vigil.service.EpochClock;
import dev.vigil.service.status.ServiceStatus;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Once a second, on a thread of its own: looks at all statuses, keeps the figures, shows them to the open pages. */
final class LiveLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveLoop.class);

    private final StatusBoard board;
    private final EpochClock clock;
    private final MetricsHistory history = new MetricsHistory();
    private final RateMeter meter = new RateMeter();
    private final ScheduledExecutorService schedule =
            Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "dashboard-live"));
    private volatile LiveSnapshot latest;
    private @Nullable ApiServer server;
    private @Nullable ScheduledFuture<?> ticking;

    LiveLoop(StatusBoard board, EpochClock clock) {
        this.board = board;
        this.clock = clock;
        this.latest = LiveSnapshot.of(clock.epochMs(), RateMeter.Rates.UNKNOWN, List.of());
    }

    /** Before the start. */
    void showOn(ApiServer pages) {
        this.server = pages;
    }

    void start() {
        ticking = schedule.scheduleAtFixedRate(this::tick, 0, 1, TimeUnit.SECONDS);
    }

    LiveSnapshot latest() {
        return latest;
    }

    MetricsHistory history() {
        return history;
    }

    private void tick() {
        ApiServer pages = server;
        try {
            List<ServiceStatus> services = board.all();
            long nowMs = clock.epochMs();
            LiveSnapshot snapshot = LiveSnapshot.of(nowMs, meter.update(nowMs, services), services);
            latest = snapshot;
            history.add(snapshot);
            if (pages != null) {
                pages.publish(snapshot);
            }
        } catch (RuntimeException e) {
            // The next second is another chance; without it the page would stand still for good.
            LOG.warn("no live figures for this second: {}", e.toString());
            if (pages != null) {
                pages.heartbeat();
            }
        }
    }

    @Override
    public void close() {
        if (ticking != null) {
            ticking.cancel(false);
        }
        schedule.shutdownNow();
    }
}
