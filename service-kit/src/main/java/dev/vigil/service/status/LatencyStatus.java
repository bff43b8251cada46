package dev.vigil.service.status;

/** Percentiles of {@code count} latencies in milliseconds; all 0 where the count is 0. */
public record LatencyStatus(long count, long p50Ms, long p99Ms, long p999Ms, long maxMs) {
    public static final LatencyStatus NONE = new LatencyStatus(0, 0, 0, 0, 0);
}
