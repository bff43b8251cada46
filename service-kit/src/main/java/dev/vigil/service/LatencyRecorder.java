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
    private static final long RECENT_MS = 60_000;
    private static final long SLICE_MS = 10_000;

    /** What was read since {@code startMs}, for at most {@link #SLICE_MS}. */
    private record Slice(long startMs, Histogram histogram) {
        static Slice startingAt(long startMs) {
            return new Slice(startMs, new Histogram(MAX_MS, 2));
        }
    }

    private final EpochClock clock;
    private final Recorder recorder = new Recorder(MAX_MS, 2);
    private final Histogram total = new Histogram(MAX_MS, 2);
    private final Deque<Slice> slices = new ArrayDeque<>();

    public LatencyRecorder(EpochClock clock) {
        this.clock = clock;
        slices.add(Slice.startingAt(clock.epochMs()));
    }

    /** A negative latency, from clocks that disagree, counts as 0; one over an hour counts as an hour. */
    public void record(long latencyMs) {
        recorder.recordValue(Math.max(0, Math.min(MAX_MS, latencyMs)));
    }

    public synchronized LatencyStatus total() {
        drain();
        return status(total);
    }

    /** Over the last 50 to 60 seconds; a value counts as recorded when it is first read, here or by {@link #total}. */
    public synchronized LatencyStatus recent() {
        drain();
        Histogram sum = new Histogram(MAX_MS, 2);
        slices.forEach(slice -> sum.add(slice.histogram()));
        return status(sum);
    }

    private void drain() {
        Histogram interval = recorder.getIntervalHistogram();
        total.add(interval);
        long nowMs = clock.epochMs();
        if (nowMs - slices.getLast().startMs() >= SLICE_MS) {
            slices.add(Slice.startingAt(nowMs));
        }
        slices.getLast().histogram().add(interval);
        while (nowMs - slices.getFirst().startMs() >= RECENT_MS) {
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
