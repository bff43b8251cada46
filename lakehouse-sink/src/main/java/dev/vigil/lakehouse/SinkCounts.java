package dev.vigil.lakehouse;

import java.util.concurrent.atomic.LongAdder;

/** What a table's sink did since it started. Readable from any thread. */
public final class SinkCounts {
    private final LongAdder rows = new LongAdder();
    private final LongAdder repeats = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder commits = new LongAdder();
    private final LongAdder failures = new LongAdder();

    /** Rows committed. */
    public long rows() {
        return rows.sum();
    }

    /** Records dropped because their log position was passed already. */
    public long repeats() {
        return repeats.sum();
    }

    /** Records that cannot become a row. */
    public long refused() {
        return refused.sum();
    }

    public long commits() {
        return commits.sum();
    }

    /** Steps that failed and are tried again. */
    public long failures() {
        return failures.sum();
    }

    void committed(long rowCount) {
        rows.add(rowCount);
        commits.increment();
    }

    void repeated() {
        repeats.increment();
    }

    void refusedOne() {
        refused.increment();
    }

    void failed() {
        failures.increment();
    }
}
