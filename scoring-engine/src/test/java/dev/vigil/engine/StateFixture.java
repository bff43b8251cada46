package dev.vigil.engine;

import dev.vigil.engine.rocksdb.RocksDbStateStore;
import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.TaskState;
import java.nio.ByteBuffer;
import java.util.Random;

/** Steps as a task would write them, with a value whose content follows from the position. */
public final class StateFixture {
    public static final String TOPIC_ID = "topic";
    private static final byte[] KEY = {'v'};

    private StateFixture() {}

    /** Moves a store to a position, with some bulk to it. */
    public static void advance(RocksDbStateStore store, long toOffset) {
        TaskState state = TaskState.load(store);
        state.setTopicId(TOPIC_ID);
        for (long offset = state.nextOffset(); offset < toOffset; offset++) {
            state.passed(offset, TaskState.End.SCORED);
        }
        StateBatch step = new StateBatch();
        state.collect(step);
        step.put(KEY, content(toOffset));
        for (int i = 0; i < 20; i++) {
            step.put(ByteBuffer.allocate(8).putInt((int) toOffset).putInt(i).array(), content(toOffset + i));
        }
        store.write(step);
    }

    /** The store's position, after a check that its content is that of the position. */
    public static long verifiedOffset(RocksDbStateStore store) {
        long offset = TaskState.load(store).nextOffset();
        byte[] value = store.get(KEY);
        if (offset > 0 && !java.util.Arrays.equals(value, content(offset))) {
            throw new AssertionError("content is not that of offset " + offset);
        }
        return offset;
    }

    private static byte[] content(long offset) {
        byte[] content = new byte[500];
        new Random(offset).nextBytes(content);
        return content;
    }
}
