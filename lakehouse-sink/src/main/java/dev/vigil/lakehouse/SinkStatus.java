package dev.vigil.lakehouse;

import org.jspecify.annotations.Nullable;

/**
 * A table's sink at one moment.
 *
 * @param committed where the table stands
 * @param pendingRows read and not committed yet
 * @param commitDueAtMs when they are to be committed at the latest, ms since the epoch; absent while there are none
 * @param freshUntilMs everything that the topic held by then is committed; absent until that is known
 * @param problem why it makes no progress, in one line; absent while it does
 * @param failed whether it gave up for good
 */
public record SinkStatus(
        Positions committed,
        @Nullable Long snapshotId,
        long pendingRows,
        @Nullable Long commitDueAtMs,
        @Nullable Long freshUntilMs,
        long misfits,
        @Nullable String problem,
        boolean failed) {}
