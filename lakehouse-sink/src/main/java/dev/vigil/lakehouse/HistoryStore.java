package dev.vigil.lakehouse;

import dev.vigil.event.ScoredSchema;
import org.jspecify.annotations.Nullable;

/**
 * One table to write to. Called by one thread. Every method but {@link #discard} and {@link #close} may throw an
 * unchecked exception while the storage or the catalog is away; after one from {@link #write} or {@link #declare} the
 * batch is broken: discard it and open again.
 */
public interface HistoryStore extends AutoCloseable {
    /**
     * Loads the table, which is created if there is none, and begins an empty batch.
     *
     * @return where the table stands
     */
    Positions open();

    /** Makes columns for what a policy declares. Not part of the batch; repeating it changes nothing. */
    void declare(ScoredSchema schema);

    /** Adds a row to the batch. Nothing shows before the commit. */
    void write(HistoryRow row);

    /**
     * Commits the batch if the table stands at {@code from}, and moves it to {@code to} in the same commit. May be called
     * again with the same arguments after {@link CommitOutcome.Unknown}; no row may be written in between.
     */
    CommitOutcome commit(Positions from, Positions to);

    /** The table's newest snapshot as of the last {@link #open} or commit; absent: it has none. */
    @Nullable
    Long snapshotId();

    /** Values written since {@link #open} whose type did not fit their column. */
    long misfits();

    /** Forgets the batch. */
    void discard();

    @Override
    void close();
}
