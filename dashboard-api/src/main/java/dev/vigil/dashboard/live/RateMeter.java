package dev.vigil.dashboard.live;

import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.ServiceStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rates from the growth of the engine's counts between two looks, partition by partition: a partition seen for the first
 * time, or whose counts fell because its engine went back to a checkpoint, adds nothing to that interval. Not
 * thread-safe.
 */
public final class RateMeter {
    /** Per second; absent while no partition has been seen twice. */
    public record Rates(
            @Nullable Double eventsPerSecond, @Nullable Double alertsPerSecond) {
        public static final Rates UNKNOWN = new Rates(null, null);
    }

    private record Counts(long events, long alerts) {}

    private Map<Integer, Counts> last = Map.of();
    private long lastAtMs;

    public Rates update(long nowMs, List<ServiceStatus> services) {
        Map<Integer, Counts> current = new HashMap<>();
        for (ServiceStatus service : services) {
            if (service instanceof EngineStatus engine) {
                engine.partitions().forEach(p -> current.put(p.partition(), counts(p)));
            }
        }
        Rates rates = rates(current, nowMs - lastAtMs);
        last = current;
        lastAtMs = nowMs;
        return rates;
    }

    private static Counts counts(EngineStatus.PartitionStatus partition) {
        return new Counts(partition.counts().read() - partition.counts().control(), partition.alerts());
    }

    private Rates rates(Map<Integer, Counts> current, long elapsedMs) {
        long events = 0;
        long alerts = 0;
        boolean known = false;
        for (Map.Entry<Integer, Counts> entry : current.entrySet()) {
            Counts before = last.get(entry.getKey());
            if (before != null) {
                known = true;
                events += Math.max(0, entry.getValue().events() - before.events());
                alerts += Math.max(0, entry.getValue().alerts() - before.alerts());
            }
        }
        if (!known || elapsedMs <= 0) {
            return Rates.UNKNOWN;
        }
        return new Rates(events * 1_000.0 / elapsedMs, alerts * 1_000.0 / elapsedMs);
    }
}
