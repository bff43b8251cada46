package dev.vigil.dashboard.status;

import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.ServiceStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The active policy and since when its features are complete.
 *
 * @param watermarkUs the oldest of the partitions', µs: a feature that is complete since later is not complete yet
 * @param completeSinceUs event time, µs, by feature, the latest of the partitions; of features that read a window. Absent
 *     before the first event
 */
public record PolicyView(
        String policy,
        int policyVersion,
        @Nullable Long watermarkUs,
        @Nullable Map<String, Long> completeSinceUs) {

    /** Of the engines that name the policy which the first of them names; empty if none names one. */
    public static Optional<PolicyView> of(List<ServiceStatus> statuses) {
        List<EngineStatus> engines = statuses.stream()
                .filter(EngineStatus.class::isInstance)
                .map(EngineStatus.class::cast)
                .filter(engine -> engine.policy() != null)
                .toList();
        return engines.stream().findFirst().map(first -> of(first, engines));
    }

    private static PolicyView of(EngineStatus first, List<EngineStatus> engines) {
        Map<String, Long> latest = new LinkedHashMap<>();
        for (EngineStatus engine : engines) {
            Map<String, Long> since = engine.completeSinceUs();
            boolean isSame =
                    Objects.equals(engine.policy(), first.policy()) && engine.policyVersion() == first.policyVersion();
            if (isSame && since != null) {
                since.forEach((feature, sinceUs) -> latest.merge(feature, sinceUs, Math::max));
            }
        }
        Long watermarkUs = engines.stream()
                .flatMap(engine -> engine.partitions().stream())
                .map(PartitionStatus::watermarkUs)
                .filter(Objects::nonNull)
                .min(Long::compare)
                .orElse(null);
        boolean isKnown = engines.stream().anyMatch(engine -> engine.completeSinceUs() != null);
        return new PolicyView(
                Objects.requireNonNull(first.policy()), first.policyVersion(), watermarkUs, isKnown ? latest : null);
    }
}
