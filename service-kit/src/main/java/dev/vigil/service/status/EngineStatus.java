package dev.vigil.service.status;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The scoring engine.
 *
 * @param counts over the partitions, since the log's start (they are part of the state)
 * @param alerts raised, likewise
 * @param latency ingest to decision, backfilled events left out, since this process started
 * @param recentLatency the same over about the last minute
 * @param policy active one, by name; absent before the first activation
 */
public record EngineStatus(
        String service,
        ServiceState state,
        @Nullable String problem,
        @Nullable String policy,
        int policyVersion,
        RecordCounts counts,
        long alerts,
        LatencyStatus latency,
        LatencyStatus recentLatency,
        List<PartitionStatus> partitions)
        implements ServiceStatus {
    public EngineStatus {
        partitions = List.copyOf(partitions);
    }

    /**
     * One partition of the log.
     *
     * @param nextOffset next to read
     * @param endOffset of the log, as last seen
     * @param watermarkUs event time, µs; absent before the first event
     * @param corrections of earlier scores that late events caused, since the log's start
     * @param summaries results of windows, corrected ones included, likewise
     * @param checkpointAtMs when the last checkpoint was complete, ms since the epoch; absent before the first
     * @param checkpointOffset its position
     */
    public record PartitionStatus(
            int partition,
            long nextOffset,
            long endOffset,
            @Nullable Long watermarkUs,
            RecordCounts counts,
            long alerts,
            long corrections,
            long summaries,
            @Nullable Long checkpointAtMs,
            @Nullable Long checkpointOffset) {
        public long lag() {
            return Math.max(0, endOffset - nextOffset);
        }
    }
}
