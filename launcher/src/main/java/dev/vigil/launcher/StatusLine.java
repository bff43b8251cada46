package dev.vigil.launcher;

import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import java.util.Locale;

/** How a running demo does, on one line of a terminal. */
final class StatusLine {
    private StatusLine() {}

    static String of(EngineStatus engine, AlertingStatus alerting, LakehouseStatus lakehouse, long nowMs) {
        RecordCounts counts = engine.counts();
        LatencyStatus latency = engine.recentLatency();
        return String.format(
                Locale.ROOT,
                "  -- %,d scored, %,d late, %,d duplicate; %,d alerts, %,d suppressed; decision p50 %d ms p99 %d ms; %s",
                counts.scored(),
                counts.late(),
                counts.duplicate(),
                engine.alerts(),
                alerting.suppressed(),
                latency.p50Ms(),
                latency.p99Ms(),
                history(lakehouse, nowMs));
    }

    /** Before the first commit there are no rows because it is not due yet, and not because something is wrong. */
    private static String history(LakehouseStatus lakehouse, long nowMs) {
        if (lakehouse.tables().stream().anyMatch(table -> table.lastCommitAtMs() != null)) {
            return String.format(
                    Locale.ROOT,
                    "%,d rows in Iceberg",
                    lakehouse.tables().stream()
                            .mapToLong(LakehouseStatus.TableStatus::rows)
                            .sum());
        }
        Long dueAtMs = lakehouse.commitDueAtMs();
        if (dueAtMs == null) {
            return "nothing for Iceberg yet";
        }
        return dueAtMs > nowMs
                ? "first commit to Iceberg due in " + (dueAtMs - nowMs + 999) / 1_000 + " s"
                : "first commit to Iceberg under way";
    }
}
