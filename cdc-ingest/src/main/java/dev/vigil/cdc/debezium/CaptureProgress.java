package dev.vigil.cdc.debezium;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What capture has done since the service was created. Written by the engine's thread, read by any. */
final class CaptureProgress {

    /** Before the first record of a run. */
    static final String PHASE_CONNECTING = "connecting";

    static final String PHASE_SNAPSHOT = "snapshot";
    static final String PHASE_STREAMING = "streaming";
    static final String PHASE_STOPPED = "stopped";

    final AtomicLong rowCount = new AtomicLong();
    final AtomicLong publishedCount = new AtomicLong();
    final AtomicLong deadLetterCount = new AtomicLong();
    final AtomicLong skippedCount = new AtomicLong();
    private final AtomicLong lastEventTimeUs = new AtomicLong(Long.MIN_VALUE);
    private volatile String phase = "new";

    String phase() {
        return phase;
    }

    void enter(String newPhase) {
        phase = newPhase;
    }

    void sawEventTime(long timeUs) {
        lastEventTimeUs.accumulateAndGet(timeUs, Math::max);
    }

    @Nullable
    Long lastEventTimeUs() {
        long timeUs = lastEventTimeUs.get();
        return timeUs == Long.MIN_VALUE ? null : timeUs;
    }
}
