package dev.vigil.lakehouse.query;

import java.time.Duration;

/**
 * What one query may cost.
 *
 * @param maxRows in the result; more are cut off, and the result says so
 * @param timeout after which it is cancelled
 * @param memoryMb of the query engine; a query that needs more fails
 * @param threads that work for it
 */
public record QueryLimits(int maxRows, Duration timeout, int memoryMb, int threads) {
    public QueryLimits {
        if (maxRows < 1 || timeout.isZero() || timeout.isNegative() || memoryMb < 16 || threads < 1) {
            throw new IllegalArgumentException("limits must be positive: " + maxRows + " rows, " + timeout + ", "
                    + memoryMb + " MB (16 or more), " + threads + " threads");
        }
    }

    /** 10,000 rows, 30 s, 512 MB, 2 threads. */
    public static QueryLimits defaults() {
        return new QueryLimits(10_000, Duration.ofSeconds(30), 512, 2);
    }

    public QueryLimits withMaxRows(int rows) {
        return new QueryLimits(rows, timeout, memoryMb, threads);
    }

    public QueryLimits withTimeout(Duration limit) {
        return new QueryLimits(maxRows, limit, memoryMb, threads);
    }
}
