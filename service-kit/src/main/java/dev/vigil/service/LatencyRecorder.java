package dev.vigil.service;

import dev.vigil.service.status.LatencyStatus;
import java.util.ArrayDeque;
import java.util.Deque;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Latencies in milliseconds, 0 to one hour, two significant digits: since the start and over about the last minute. Safe
 * for any thread; {@link #record} never blocks.
 */
public final class LatencyRecorder {
    private static final long MAX_MS = 3_600_000;
    private static final int RECENT_SLICES = 6;
    private static final long SLICE_MS = 10_000;

    private final EpochClock clock;
    private final Recorder recorder = new Recorder(MAX_MS, 2);
    private final Histogram total = new Histogram(MAX_MS, 2);
    private final Deque<Histogram> slices = new ArrayDeque<>();
    private long sliceStartMs;

    public LatencyRecorder(EpochClock clock) {
        this.clock = clock;
        this.sliceStartMs = clock.epochMs();
        slices.add(new Histogram(MAX_MS, 2));
    }

    /** A negative latency, from clocks that disagree, counts as 0; one over an hour counts as an hour. */
    public void record(long latencyMs) {
        recorder.recordValue(Math.max(0, Math.min(MAX_MS, latencyMs)));
    }

    public synchronized LatencyStatus total() {
        drain();
        return status(total);
    }

    /** Over the last 50 to 60 seconds. */
    public synchronized LatencyStatus recent() {
        drain();
        Histogram sum = new Histogram(MAX_MS, 2);
        slices.forEach(sum::add);
        return status(sum);
    }

    private void drain() {
        Histogram interval = recorder.getIntervalHistogram();
        total.add(interval);
        long nowMs = clock.epochMs();
        if (nowMs - sliceStartMs >= SLICE_MS * RECENT_SLICES) {
            slices.clear();
            slices.add(new Histogram(MAX_MS, 2));
            sliceStartMs = nowMs;
        } else if (nowMs - sliceStartMs >= SLICE_MS) {
            slices.add(new Histogram(MAX_MS, 2));
            sliceStartMs = nowMs;
        }
        slices.getLast().add(interval);
        while (slices.size() > RECENT_SLICES) {
            slices.removeFirst();
        }
    }

    private static LatencyStatus status(Histogram histogram) {
        return new LatencyStatus(
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50),
                histogram.getValueAtPercentile(99),
                histogram.getValueAtPercentile(99.9),
                histogram.getMaxValue());
    }
}
