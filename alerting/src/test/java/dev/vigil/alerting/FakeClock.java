package dev.vigil.alerting;

import dev.vigil.service.EpochClock;

/** Stands still until it is told to go on. */
public final class FakeClock implements EpochClock {
    private volatile long nowMs;

    public FakeClock(long nowMs) {
        this.nowMs = nowMs;
    }

    public void advanceMs(long byMs) {
        nowMs += byMs;
    }

    @Override
    public long epochMs() {
        return nowMs;
    }
}
