package dev.vigil.cdc.debezium;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.ChangeCounts;
import dev.vigil.cdc.DeclaredFields;
import java.time.Duration;
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
    /** Came again after a restart, and an earlier run has processed them. */
    final AtomicLong passedOverCount = new AtomicLong();

    final AtomicLong keptCount = new AtomicLong();
    final AtomicInteger waitingCount = new AtomicInteger();
    /** Rows that a snapshot did not find any more. */
    final AtomicLong vanishedCount = new AtomicLong();

    final SnapshotProgress snapshot = new SnapshotProgress();

    private final AtomicLong lastEventTimeUs = new AtomicLong(Long.MIN_VALUE);
    private static final long BUSY = Long.MIN_VALUE;

    private volatile long idleSinceNs = BUSY;
    /** When something of the database's log came last; {@link #BUSY} while it is not known that any should come. */
    private volatile long logHeardNs = BUSY;

    private long batchBeganNs;
    private volatile Duration maxFutureSkew = DeclaredFields.USUAL_FUTURE_SKEW;
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
        batchBeganNs = System.nanoTime();
        idleSinceNs = BUSY;
    }

    void endBatch() {
        idleSinceNs = System.nanoTime();
    }

    /** @param isOfLog whether the batch had something that was in the database's log; the engine makes other records itself */
    void endBatch(boolean isOfLog) {
        long nowNs = System.nanoTime();
        if (isOfLog) {
            logHeardNs = nowNs;
        } else if (logHeardNs != BUSY) {
            logHeardNs += nowNs - batchBeganNs; // what comes meanwhile has to wait
        }
        idleSinceNs = nowNs;
    }

    /** @param resumes whether the run reads the log on, rather than the tables first */
    void beginRun(boolean resumes) {
        idleSinceNs = System.nanoTime();
        logHeardNs = resumes ? System.nanoTime() : BUSY;
    }

    void endRun() {
        logHeardNs = BUSY;
    }

    /** For how long nothing of the database's log has come although it is read, in ns; 0 while that is not so. */
    long logSilenceNs() {
        long heard = logHeardNs;
        return heard == BUSY || idleSinceNs == BUSY || phase.equals(PHASE_SNAPSHOT) ? 0 : System.nanoTime() - heard;
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
        passedOverCount.addAndGet(counts.passedOver);
        keptCount.addAndGet(counts.kept);
        waitingCount.set(nowWaiting);
        lastEventTimeUs.accumulateAndGet(counts.lastEventTimeUs, Math::max);
    }

    /** By which an event may be ahead of its time. */
    Duration maxFutureSkew() {
        return maxFutureSkew;
    }

    void allowAhead(Duration skew) {
        maxFutureSkew = skew;
    }

    /** Of the newest event that is not further ahead than allowed. */
    @Nullable
    Long lastEventTimeUs() {
        long timeUs = lastEventTimeUs.get();
        return timeUs == Long.MIN_VALUE ? null : timeUs;
    }
}
