package dev.vigil.benchmarks;

import dev.vigil.benchmarks.Rig.LongRange;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * Tells the latencies of events that were due in a second in which a checkpoint was made, of whichever partition, from
 * those of the others. Which these are is known only afterwards, so each event is kept. One thread.
 */
final class CheckpointSplit {
    private static final long MS_PER_SECOND = 1_000;

    private final Set<LongRange> checkpointsMs = new HashSet<>();
    private final Histogram during = new Histogram(3);
    private final Histogram without = new Histogram(3);
    private long[] dueMs = new long[1_024];
    private long[] latenciesUs = new long[1_024];
    private int count;

    void event(long eventDueMs, long latencyUs) {
        if (count == dueMs.length) {
            dueMs = Arrays.copyOf(dueMs, 2 * count);
            latenciesUs = Arrays.copyOf(latenciesUs, 2 * count);
        }
        dueMs[count] = eventDueMs;
        latenciesUs[count++] = latencyUs;
    }

    /** Those known by now; may be told again. @param timesMs ms since the epoch */
    void checkpoints(Collection<LongRange> timesMs) {
        checkpointsMs.addAll(timesMs);
    }

    /** To be called once, when all is known. */
    void split() {
        Set<Long> seconds = new HashSet<>();
        for (LongRange times : checkpointsMs) {
            for (long second = times.first() / MS_PER_SECOND; second <= times.last() / MS_PER_SECOND; second++) {
                seconds.add(second);
            }
        }
        for (int i = 0; i < count; i++) {
            (seconds.contains(dueMs[i] / MS_PER_SECOND) ? during : without).recordValue(latenciesUs[i]);
        }
    }

    Histogram duringUs() {
        return during;
    }

    Histogram withoutUs() {
        return without;
    }
}
