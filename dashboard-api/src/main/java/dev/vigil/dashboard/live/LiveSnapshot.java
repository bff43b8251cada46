package dev.vigil.dashboard.live;

import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import dev.vigil.service.status.ServiceStatus;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything the page shows of the whole, at one moment. What is not known is absent, never 0.
 *
 * @param atMs when it was put together, ms since the epoch
 * @param eventsPerSecond events that the engine took from the log over the last second, control records left out
 * @param counts over all partitions of the log
 * @param alerts raised, over all partitions
 * @param decisionLatency ingest to decision
 * @param deliveryLatency ingest to acceptance by the webhook's receiver
 * @param lagRecords of the log not scored yet
 * @param watermarkUs the oldest of the partitions' watermarks, µs since the epoch
 * @param checkpointAtMs when the latest checkpoint was complete
 * @param oldestCheckpointAtMs the same for the partition whose last one is longest ago
 * @param commit the latest one of history
 */
public record LiveSnapshot(
        long atMs,
        @Nullable Double eventsPerSecond,
        @Nullable Double alertsPerSecond,
        @Nullable String policy,
        @Nullable Integer policyVersion,
        @Nullable RecordCounts counts,
        @Nullable Long alerts,
        @Nullable Latency decisionLatency,
        @Nullable Latency deliveryLatency,
        @Nullable Long lagRecords,
        @Nullable Long watermarkUs,
        @Nullable Long checkpointAtMs,
        @Nullable Long oldestCheckpointAtMs,
        @Nullable Commit commit,
        List<Partition> partitions,
        List<ServiceStatus> services) {
    public LiveSnapshot {
        partitions = List.copyOf(partitions);
        services = List.copyOf(services);
    }

    /** Over about the last minute, and since the service started; each absent while there is no measurement. */
    public record Latency(
            @Nullable LatencyStatus recent, @Nullable LatencyStatus total) {
        static Latency of(LatencyStatus recent, LatencyStatus total) {
            return new Latency(recent.count() == 0 ? null : recent, total.count() == 0 ? null : total);
        }
    }

    /** The last commit of history, with what all its tables hold. */
    public record Commit(String table, long atMs, @Nullable Long snapshotId, long tableRows, long tableSnapshots) {}

    /** One partition of the log. */
    public record Partition(
            int partition,
            long nextOffset,
            long endOffset,
            long lag,
            @Nullable Long watermarkUs,
            @Nullable Long checkpointAtMs,
            @Nullable Long checkpointOffset,
            RecordCounts counts,
            long alerts) {
        static Partition of(EngineStatus.PartitionStatus status) {
            return new Partition(
                    status.partition(),
                    status.nextOffset(),
                    status.endOffset(),
                    status.lag(),
                    status.watermarkUs(),
                    status.checkpointAtMs(),
                    status.checkpointOffset(),
                    status.counts(),
                    status.alerts());
        }
    }

    /** @param rates of the second that ends at {@code atMs} */
    public static LiveSnapshot of(long atMs, RateMeter.Rates rates, List<ServiceStatus> services) {
        List<EngineStatus> engines = ofType(services, EngineStatus.class);
        List<Partition> partitions = engines.stream()
                .flatMap(engine -> engine.partitions().stream())
                .map(Partition::of)
                .sorted(Comparator.comparingInt(Partition::partition))
                .toList();
        EngineStatus engine =
                engines.stream().filter(e -> e.policy() != null).findFirst().orElse(null);
        List<Long> checkpoints = present(partitions, Partition::checkpointAtMs);
        return new LiveSnapshot(
                atMs,
                rates.eventsPerSecond(),
                rates.alertsPerSecond(),
                engine == null ? null : engine.policy(),
                engine == null ? null : engine.policyVersion(),
                engines.stream()
                        .map(EngineStatus::counts)
                        .reduce(RecordCounts::plus)
                        .orElse(null),
                engines.isEmpty()
                        ? null
                        : engines.stream().mapToLong(EngineStatus::alerts).sum(),
                slowestDecision(engines),
                slowestDelivery(ofType(services, AlertingStatus.class)),
                partitions.isEmpty()
                        ? null
                        : partitions.stream().mapToLong(Partition::lag).sum(),
                present(partitions, Partition::watermarkUs).stream()
                        .min(Long::compare)
                        .orElse(null),
                checkpoints.stream().max(Long::compare).orElse(null),
                checkpoints.stream().min(Long::compare).orElse(null),
                lastCommit(ofType(services, LakehouseStatus.class)),
                partitions,
                services);
    }

    /** Percentiles of several processes cannot be merged: the one with the worst p99 speaks for all. */
    private static @Nullable Latency slowestDecision(List<EngineStatus> engines) {
        return engines.stream()
                .max(Comparator.comparingLong(e -> e.recentLatency().p99Ms()))
                .map(e -> Latency.of(e.recentLatency(), e.latency()))
                .orElse(null);
    }

    private static @Nullable Latency slowestDelivery(List<AlertingStatus> services) {
        return services.stream()
                .max(Comparator.comparingLong(s -> s.recentLatency().p99Ms()))
                .map(s -> Latency.of(s.recentLatency(), s.latency()))
                .orElse(null);
    }

    private static @Nullable Commit lastCommit(List<LakehouseStatus> sinks) {
        return sinks.stream()
                .flatMap(sink -> sink.tables().stream())
                .flatMap(table -> {
                    Long atMs = table.lastCommitAtMs();
                    return atMs == null
                            ? Stream.<Commit>empty()
                            : Stream.of(new Commit(
                                    table.table(), atMs, table.lastSnapshotId(), table.rows(), table.snapshots()));
                })
                .max(Comparator.comparingLong(Commit::atMs))
                .orElse(null);
    }

    private static List<Long> present(
            List<Partition> partitions, java.util.function.Function<Partition, @Nullable Long> value) {
        return partitions.stream().map(value).filter(Objects::nonNull).toList();
    }

    private static <T extends ServiceStatus> List<T> ofType(List<ServiceStatus> services, Class<T> type) {
        List<T> found = new ArrayList<>();
        for (ServiceStatus service : services) {
            if (type.isInstance(service)) {
                found.add(type.cast(service));
            }
        }
        return found;
    }
}
