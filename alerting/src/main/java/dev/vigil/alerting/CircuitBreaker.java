package dev.vigil.alerting;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Leaves an endpoint alone that takes nothing. Closed at first; opens after {@value #OPENS_AFTER} failed attempts in a row, so
 * that an endpoint which fails now and then stays as it is. Open, it allows one attempt at a time, after about 1, 2, 4, …
 * seconds, at most a minute apart; the first that succeeds closes it. Forgets everything with the process: what is there
 * after a restart is tried at once. One thread; {@link #isOpen} from any.
 */
final class CircuitBreaker {
    static final int OPENS_AFTER = 10;

    private static final RetryConfig PROBES =
            new RetryConfig(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofDays(1));

    private final RandomGenerator random;
    private int failuresInARow;
    private long probeAtMs;
    private volatile boolean open;

    CircuitBreaker(RandomGenerator random) {
        this.random = random;
    }

    void succeeded() {
        failuresInARow = 0;
        open = false;
    }

    void failed(long nowMs) {
        failuresInARow++;
        if (failuresInARow >= OPENS_AFTER) {
            open = true;
            probeAtMs = nowMs + PROBES.delayMs(failuresInARow - OPENS_AFTER + 1, random);
        }
    }

    boolean isOpen() {
        return open;
    }

    /** How many attempts may be started beside those under way. */
    int room(int underWay, long nowMs) {
        if (!open) {
            return Integer.MAX_VALUE;
        }
        return underWay == 0 && nowMs >= probeAtMs ? 1 : 0;
    }

    /** Until the next attempt is allowed, ms; 0 where one is, or where the answer to one is awaited. */
    long waitMs(long nowMs) {
        return open ? Math.max(0, probeAtMs - nowMs) : 0;
    }
}
