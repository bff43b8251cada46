package dev.vigil.demo;

import dev.vigil.service.EpochClock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that only sleeping moves, at once. */
final class FakeTime implements EpochClock, Sleeper {
    private final AtomicLong nowMs;

    FakeTime(long startMs) {
        nowMs = new AtomicLong(startMs);
    }

    @Override
    public long epochMs() {
        return nowMs.get();
    }

    @Override
    public void sleepMs(long durationMs) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        nowMs.addAndGet(durationMs);
    }
}
