package dev.vigil.scoring.state;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Durable bytes of one task. Used by the task's thread alone.
 *
 * <p>A batch holds a whole step of the task, its source position included, and takes effect as a whole or not at all:
 * after a crash the store holds the state of some earlier step, never of half a step.
 */
public interface StateStore extends AutoCloseable {
    /** The value last written under the key; null if there is none. The caller owns the array. */
    byte @Nullable [] get(byte[] key);

    void write(StateBatch batch);

    /**
     * Keys in order, bytes taken as unsigned.
     *
     * @param after the first one is behind it; need not be a key
     * @param before all are before it
     * @param limit how many at most
     */
    List<byte[]> keys(byte[] after, byte[] before, int limit);

    @Override
    void close();
}
