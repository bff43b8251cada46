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
 * @param lastEventTimeUs event time of the newest published row
 * @param slotLagBytes WAL that the source keeps for the slot; absent where not known
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
        @Nullable Long lastEventTimeUs,
        @Nullable Long slotLagBytes)
        implements ServiceStatus {}
