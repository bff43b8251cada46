package dev.vigil.launcher;

import dev.vigil.demo.PlantedFindings;
import dev.vigil.demo.TrafficStats;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import dev.vigil.service.status.ServiceState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What services tell at the end of a small demo: 100 events, of which as many alert as a test wants. */
final class DemoFigures {
    private static final LatencyStatus LATENCY = new LatencyStatus(100, 12, 80, 90, 95);
    private static final long SCORED = 100;

    private DemoFigures() {}

    static EngineStatus engine(long alerts) {
        RecordCounts counts = new RecordCounts(SCORED + 4, SCORED, 4, 0, 0, 0, 0, 0);
        return new EngineStatus(
                "scoring-engine", ServiceState.RUNNING, null, "p", 1, counts, alerts, LATENCY, LATENCY, List.of());
    }

    /** @param delivered pairs of alert and endpoint */
    static AlertingStatus alerting(
            long alerts, long suppressed, long unrouted, long delivered, long givenUp, long pending) {
        return new AlertingStatus(
                "alerting",
                ServiceState.RUNNING,
                null,
                alerts,
                suppressed,
                unrouted,
                delivered,
                0,
                givenUp,
                pending,
                LATENCY,
                LATENCY,
                List.of());
    }

    /** @param commitDueAtMs absent: nothing waits */
    static LakehouseStatus lakehouse(long alerts, Long commitDueAtMs, Long lastCommitAtMs) {
        return new LakehouseStatus(
                "lakehouse-sink",
                ServiceState.RUNNING,
                null,
                0,
                commitDueAtMs,
                null,
                List.of(table("scored_events", SCORED, lastCommitAtMs), table("alerts", alerts, lastCommitAtMs)));
    }

    private static LakehouseStatus.TableStatus table(String name, long rows, Long lastCommitAtMs) {
        return new LakehouseStatus.TableStatus(name, lastCommitAtMs == null ? 0 : rows, 1, lastCommitAtMs, null);
    }

    static DemoReport report(AlertingStatus alerting, DemoHistory history) {
        return report(alerting, history, findings(2, 1, 1));
    }

    static DemoReport report(AlertingStatus alerting, DemoHistory history, PlantedFindings planted) {
        return DemoReport.of(new DemoReport.Figures(
                40,
                engine(alerting.alerts()),
                alerting,
                lakehouse(alerting.alerts(), null, 1L),
                new CdcStatus(
                        "cdc-ingest", ServiceState.RUNNING, null, "streaming", 90, 90, 0, 0, 0, 0, 0, null, null, null),
                new TrafficStats(90, 0, 10, 0, 0, 0, 0, 0, 0, 0, Map.of()),
                90,
                0,
                SCORED + 4,
                history,
                planted,
                history.delivered(),
                null));
    }

    static PlantedFindings findings(long incidents, long caught, long unfinished) {
        Map<String, PlantedFindings.Found> scenarios = new LinkedHashMap<>();
        Long afterMs = caught == 0 ? null : Long.valueOf(1_260);
        scenarios.put("card-testing", new PlantedFindings.Found(incidents, caught, unfinished, unfinished, afterMs));
        scenarios.put("impossible-travel", new PlantedFindings.Found(0, 0, 1, 0, null));
        return new PlantedFindings(
                incidents, caught, unfinished, unfinished, afterMs, scenarios, new PlantedFindings.Alerts(9, 1, 2, 0));
    }
}
