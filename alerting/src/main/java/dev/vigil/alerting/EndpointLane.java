package dev.vigil.alerting;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the dispatcher knows of one endpoint in memory: the attempts under way, at most {@code maxInFlight}, and how the
 * endpoint is doing. Each endpoint has its own, so none waits for another. Written by the dispatcher's thread;
 * {@link #state} and {@link #lastProblem} from any.
 */
final class EndpointLane {
    private final EndpointConfig config;
    private final Set<Long> inFlight = new HashSet<>();
    private volatile boolean disabled;
    private volatile long pausedUntilMs;
    private volatile @Nullable String lastProblem;

    EndpointLane(EndpointConfig config, boolean disabled) {
        this.config = config;
        this.disabled = disabled;
        this.lastProblem = disabled ? "answered 410: disabled until its URL changes" : null;
    }

    EndpointConfig config() {
        return config;
    }

    boolean isDisabled() {
        return disabled;
    }

    /** Those due that are not under way yet, as many as there is room for. */
    List<PendingDelivery> startable(List<PendingDelivery> due) {
        List<PendingDelivery> startable = new ArrayList<>();
        for (PendingDelivery delivery : due) {
            if (!inFlight.contains(delivery.alertSeq()) && inFlight.size() + startable.size() < config.maxInFlight()) {
                startable.add(delivery);
            }
        }
        return startable;
    }

    int inFlightCount() {
        return inFlight.size();
    }

    boolean hasRoom() {
        return inFlight.size() < config.maxInFlight();
    }

    void started(PendingDelivery delivery) {
        inFlight.add(delivery.alertSeq());
    }

    void ended(PendingDelivery delivery, Answer answer) {
        inFlight.remove(delivery.alertSeq());
        lastProblem = answer.detail();
    }

    void disable() {
        disabled = true;
    }

    void pauseUntil(long timeMs) {
        pausedUntilMs = Math.max(pausedUntilMs, timeMs);
    }

    /** 0 where it may be sent to. */
    long pauseLeftMs(long nowMs) {
        return Math.max(0, pausedUntilMs - nowMs);
    }

    String state(long nowMs) {
        if (disabled) {
            return "disabled";
        }
        return pauseLeftMs(nowMs) > 0 ? "paused" : "active";
    }

    @Nullable
    String lastProblem() {
        return lastProblem;
    }
}
