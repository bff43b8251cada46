package dev.vigil.scoring.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The ids of a timeline's blocks in time order, as runs of consecutive ones: one run for an account whose events come in
 * order, however many they are, and a few for each block that an event out of order has split. One thread.
 */
final class BlockRuns {
    private long[] starts = new long[1];
    private long[] lengths = new long[1];
    private int from;
    private int to;

    static BlockRuns of(@Nullable Block first) {
        BlockRuns runs = new BlockRuns();
        for (Block block = first; block != null; block = block.next) {
            runs.append(block.id);
        }
        return runs;
    }

    void append(long id) {
        if (to > from && starts[to - 1] + lengths[to - 1] == id) {
            lengths[to - 1]++;
            return;
        }
        if (to == starts.length) {
            starts = Arrays.copyOfRange(starts, from, from + Math.max(4, 2 * (to - from)));
            lengths = Arrays.copyOfRange(lengths, from, from + starts.length);
            to -= from;
            from = 0;
        }
        starts[to] = id;
        lengths[to++] = 1;
    }

    void removeFirst() {
        starts[from]++;
        if (--lengths[from] == 0) {
            from++;
        }
    }

    void write(ByteSink sink) {
        sink.writeVarint(to - from);
        long expected = 0;
        for (int i = from; i < to; i++) {
            sink.writeSigned(starts[i] - expected);
            sink.writeVarint(lengths[i]);
            expected = starts[i] + lengths[i];
        }
    }
}
