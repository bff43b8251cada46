package dev.vigil.scoring.state;

import java.util.Arrays;

/**
 * The ids of a timeline's blocks in time order, as runs of consecutive ones: one run for an account whose events come in
 * order, however many they are, and up to two more for each block that an event out of order has split. One thread.
 */
final class BlockRuns {
    private long[] starts = new long[1];
    private long[] lengths = new long[1];
    private int from;
    private int to;

    void append(long id) {
        if (to > from && starts[to - 1] + lengths[to - 1] == id) {
            lengths[to - 1]++;
            return;
        }
        put(makeRoom(0, 1), id, 1);
    }

    /**
     * Puts the id of a new block, larger than all others, behind that of a block which is not the last. Looks from the end,
     * since blocks are split where events out of order come, and these come soon.
     */
    void insertAfter(long before, long id) {
        int run = to - 1;
        while (before < starts[run] || before >= starts[run] + lengths[run]) {
            run--;
        }
        long behind = starts[run] + lengths[run] - 1 - before;
        if (behind == 0 && before + 1 == id) {
            lengths[run]++;
            return;
        }
        lengths[run] -= behind;
        int room = makeRoom(to - run - 1, behind == 0 ? 1 : 2);
        put(room, id, 1);
        if (behind > 0) {
            put(room + 1, before + 1, behind);
        }
    }

    private void put(int run, long start, long length) {
        starts[run] = start;
        lengths[run] = length;
    }

    /** Makes room for so many runs in front of the last ones; gives the index of the first. */
    private int makeRoom(int last, int runs) {
        if (to + runs > starts.length) {
            int capacity = Math.max(4, 2 * (to - from + runs));
            starts = Arrays.copyOfRange(starts, from, from + capacity);
            lengths = Arrays.copyOfRange(lengths, from, from + capacity);
            to -= from;
            from = 0;
        }
        int room = to - last;
        System.arraycopy(starts, room, starts, room + runs, last);
        System.arraycopy(lengths, room, lengths, room + runs, last);
        to += runs;
        return room;
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
