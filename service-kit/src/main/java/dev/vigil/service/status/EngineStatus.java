package dev.vigil.service.status;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The scoring engine.
 *
 * @param counts over the partitions, since the log's start (they are part of the state)
 * @param alerts raised, likewise
 * @param latency ingest to decision, since this process started; without backfilled events, and without those that stood in
 *     the log when it took their partition up
 * @param recentLatency the same over about the last minute
 * @param policy active one, by name; absent before the first activation
 * @param completeSinceUs event time, µs, since which a feature of the active policy is complete in all of these partitions
 *     that have events, by feature; of those that read a window. Absent while none has
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
        List<PartitionStatus> partitions,
        @Nullable Map<String, Long> completeSinceUs)
        implements ServiceStatus {
    public EngineStatus {
        partitions = List.copyOf(partitions);
        completeSinceUs =
                completeSinceUs == null ? null : Collections.unmodifiableMap(new LinkedHashMap<>(completeSinceUs));
    }

    /** Of an engine that says nothing of completeness. */
    public EngineStatus(
            String service,
            ServiceState state,
            @Nullable String problem,
            @Nullable String policy,
            int policyVersion,
            RecordCounts counts,
            long alerts,
            LatencyStatus latency,
            LatencyStatus recentLatency,
            List<PartitionStatus> partitions) {
        this(service, state, problem, policy, policyVersion, counts, alerts, latency, recentLatency, partitions, null);
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
     * @param lateEntersFromUs event time, µs, from which on {@code late: update} enters late events here; earlier ones are put
     *     aside, since what their windows hold was forgotten. Absent where late events are not entered, or nothing was forgotten
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
            @Nullable Long checkpointOffset,
            @Nullable Long lateEntersFromUs) {
        public long lag() {
            return Math.max(0, endOffset - nextOffset);
        }
    }
}
