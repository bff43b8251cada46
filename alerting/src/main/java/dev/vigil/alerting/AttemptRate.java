package dev.vigil.alerting;

/**
 * At most so many attempts per second, a second's worth of them at once: a bucket that fills steadily. One thread.
 *
 * @see EndpointConfig#maxPerSecond
 */
final class AttemptRate {
    private final int perSecond;
    private double allowed;
    private long countedAtMs;

    /** @param perSecond 0: as many as there are */
    AttemptRate(int perSecond) {
        this.perSecond = perSecond;
        this.allowed = perSecond;
    }

    int room(long nowMs) {
        if (perSecond == 0) {
            return Integer.MAX_VALUE;
        }
        // A clock that is set back allows nothing more, and one that is set forward a second's worth.
        allowed = Math.min(perSecond, allowed + Math.max(0, nowMs - countedAtMs) * perSecond / 1_000.0);
        countedAtMs = nowMs;
        return (int) allowed;
    }

    void took() {
        allowed -= perSecond == 0 ? 0 : 1;
    }

    /** Until one is allowed, ms; as of the last call of {@link #room}. */
    long waitMs() {
        return perSecond == 0 || allowed >= 1 ? 0 : (long) Math.ceil((1 - allowed) * 1_000 / perSecond);
    }
}
