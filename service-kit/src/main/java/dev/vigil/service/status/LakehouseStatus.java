package dev.vigil.service.status;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * History.
 *
 * @param pendingRows taken from the topics and not committed yet
 * @param commitDueAtMs when the first of the pending rows is to be committed at the latest, ms since the epoch; absent while
 *     none is pending
 * @param freshUntilMs every record that the broker had appended by then is committed; ms since the epoch
 */
public record LakehouseStatus(
        String service,
        ServiceState state,
        @Nullable String problem,
        long pendingRows,
        @Nullable Long commitDueAtMs,
        @Nullable Long freshUntilMs,
        List<TableStatus> tables)
        implements ServiceStatus {
    public LakehouseStatus {
        tables = List.copyOf(tables);
    }

    /**
     * One table.
     *
     * @param rows committed over the table's life
     * @param snapshots commits of this sink over the table's life
     * @param lastCommitAtMs absent before the first
     */
    public record TableStatus(
            String table,
            long rows,
            long snapshots,
            @Nullable Long lastCommitAtMs,
            @Nullable Long lastSnapshotId) {}
}
