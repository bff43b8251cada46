package dev.vigil.service.status;

import org.jspecify.annotations.Nullable;

/**
 * Change capture.
 *
 * @param phase snapshot, streaming, or where it stands before
 * @param rowsRead row changes that the source sent
 * @param published records that the broker acknowledged in the log
 * @param deadLettered rows refused
 * @param skipped changes that are no event by declaration, such as an update of an event's row
 * @param passedOver changes that came again after a restart, and that an earlier run has processed
 * @param kept changes of rows that are remembered for lookups and not published
 * @param waiting rows that wait for the row that has their account
 * @param vanished rows that a later snapshot did not find any more, and that were taken back
 * @param lastEventTimeUs event time of the newest published row, those aside that are further ahead than the policy allows
 * @param slotLagBytes of the database's log that are not captured yet; absent where not known
 * @param snapshot that is being read; absent while none is
 */
public record CdcStatus(
        String service,
        ServiceState state,
        @Nullable String problem,
        String phase,
        long rowsRead,
        long published,
        long deadLettered,
        long skipped,
        long passedOver,
        long kept,
        int waiting,
        long vanished,
        @Nullable Long lastEventTimeUs,
        @Nullable Long slotLagBytes,
        @Nullable SnapshotStatus snapshot)
        implements ServiceStatus {}
