package dev.vigil.engine.kafka;

import dev.vigil.scoring.policy.Policy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Since when features are complete in all partitions of an engine: the latest of what these say. */
final class Completeness {
    private Completeness() {}

    /**
     * @param active policy that the engine names; a partition that is still, or already, at another one says nothing
     * @return µs by feature; null if no partition says anything
     */
    static @Nullable Map<String, Long> of(List<ScoringWorker> workers, @Nullable Policy active) {
        Map<String, Long> latest = null;
        for (ScoringWorker worker : workers) {
            for (ScoringTask task : worker.tasks()) {
                Map<String, Long> since = task.completeSinceUs();
                Policy policy = task.policy();
                boolean isOfActive = active != null
                        && policy != null
                        && policy.name().equals(active.name())
                        && policy.version() == active.version();
                if (isOfActive && since != null) {
                    Map<String, Long> merged = latest == null ? new LinkedHashMap<>() : latest;
                    since.forEach((feature, sinceUs) -> merged.merge(feature, sinceUs, Math::max));
                    latest = merged;
                }
            }
        }
        return latest;
    }
}
