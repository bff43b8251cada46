package dev.vigil.alerting;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the dispatcher knows of one endpoint in memory: the attempts under way, how many more its limits and its breaker
 * allow, and how the endpoint is doing. Each endpoint has its own, so none waits for another. Written by the dispatcher's thread;
 * {@link #state} and {@link #lastProblem} from any.
 */
final class EndpointLane {
    private final CircuitBreaker breaker;
    private final Set<Long> inFlight = new HashSet<>();
    private EndpointConfig config;
    private AttemptRate rate;
    private volatile boolean disabled;
    private volatile boolean paused;
    private volatile long pausedUntilMs;
    private volatile @Nullable String lastProblem;

    EndpointLane(EndpointConfig config, boolean disabled, RandomGenerator random) {
        this.config = config;
        this.breaker = new CircuitBreaker(random);
        this.rate = new AttemptRate(config.maxPerSecond());
        this.disabled = disabled;
        this.lastProblem = disabled ? "answered 410: disabled until its URL changes" : null;
    }

    EndpointConfig config() {
        return config;
    }

    /** From now on. What is known of how it is doing stays, unless the URL is another. */
    void use(EndpointConfig changed, boolean stillDisabled) {
        if (changed.maxPerSecond() != config.maxPerSecond()) {
            rate = new AttemptRate(changed.maxPerSecond());
        }
        if (!changed.url().equals(config.url())) {
            pausedUntilMs = 0;
            breaker.succeeded();
            lastProblem = stillDisabled ? lastProblem : null;
        }
        disabled = stillDisabled;
        config = changed;
    }

    /** By a person, until the same or another lets it go on. */
    void setPaused(boolean nowPaused) {
        paused = nowPaused;
    }

    boolean isPaused() {
        return paused;
    }

    boolean isDisabled() {
        return disabled;
    }

    List<PendingDelivery> notUnderWay(List<PendingDelivery> due) {
        return due.stream()
                .filter(delivery -> !inFlight.contains(delivery.alertSeq()))
                .toList();
    }

    /** How many attempts may begin now. */
    int room(long nowMs) {
        int free = config.maxInFlight() - inFlight.size();
        return Math.min(free, Math.min(breaker.room(inFlight.size(), nowMs), rate.room(nowMs)));
    }

    /** Until there may be room without any answer, ms; 0 where an answer has to come first. */
    long waitMs(long nowMs) {
        return Math.max(pauseLeftMs(nowMs), Math.max(breaker.waitMs(nowMs), rate.waitMs()));
    }

    int inFlightCount() {
        return inFlight.size();
    }

    void started(PendingDelivery delivery) {
        inFlight.add(delivery.alertSeq());
        rate.took();
    }

    void ended(PendingDelivery delivery, Answer answer, long nowMs) {
        inFlight.remove(delivery.alertSeq());
        lastProblem = answer.detail();
        if (answer.accepted()) {
            breaker.succeeded();
        } else {
            breaker.failed(nowMs);
        }
    }

    /** Whether it takes nothing and is only tried now and then. */
    boolean isFailing() {
        return breaker.isOpen();
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
        if (paused || pauseLeftMs(nowMs) > 0) {
            return "paused";
        }
        return breaker.isOpen() ? "failing" : "active";
    }

    @Nullable
    String lastProblem() {
        return lastProblem;
    }
}
