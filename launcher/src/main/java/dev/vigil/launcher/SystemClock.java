package dev.vigil.launcher;

import dev.vigil.service.EpochClock;

/** The machine's clock. */
enum SystemClock implements EpochClock {
    INSTANCE;

    @Override
    public long epochMs() {
        return System.currentTimeMillis();
    }
}
