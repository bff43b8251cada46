package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.ChangeCounts;
import java.util.concurrent.atomic.AtomicInteger;
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
    final AtomicLong keptCount = new AtomicLong();
    final AtomicInteger waitingCount = new AtomicInteger();
    /** Rows that a snapshot did not find any more. */
    final AtomicLong vanishedCount = new AtomicLong();

    final SnapshotProgress snapshot = new SnapshotProgress();

    private final AtomicLong lastEventTimeUs = new AtomicLong(Long.MIN_VALUE);
    private static final long BUSY = Long.MIN_VALUE;

    private volatile long idleSinceNs = BUSY;
    private volatile String phase = "new";
    private volatile CapturePosition position = CapturePosition.NONE;

    String phase() {
        return phase;
    }

    void enter(String newPhase) {
        phase = newPhase;
    }

    /** A batch begins to be forwarded; the engine waits meanwhile, maybe for long. */
    void beginBatch() {
        idleSinceNs = BUSY;
    }

    void endBatch() {
        idleSinceNs = System.nanoTime();
    }

    /** For how long the engine has had nothing to forward, in ns; 0 while a batch is being forwarded. */
    long idleNs() {
        long since = idleSinceNs;
        return since == BUSY ? 0 : System.nanoTime() - since;
    }

    /** How far the source was read and stored. */
    CapturePosition position() {
        return position;
    }

    void reach(CapturePosition stored) {
        position = stored;
    }

    /** What became of a batch, once the broker has all of it. */
    void add(ChangeCounts counts, int nowWaiting) {
        rowCount.addAndGet(counts.rows);
        publishedCount.addAndGet(counts.published);
        deadLetterCount.addAndGet(counts.deadLetters);
        skippedCount.addAndGet(counts.skipped);
        keptCount.addAndGet(counts.kept);
        waitingCount.set(nowWaiting);
        lastEventTimeUs.accumulateAndGet(counts.lastEventTimeUs, Math::max);
    }

    @Nullable
    Long lastEventTimeUs() {
        long timeUs = lastEventTimeUs.get();
        return timeUs == Long.MIN_VALUE ? null : timeUs;
    }
}
