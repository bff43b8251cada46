package dev.vigil.launcher;

import dev.vigil.demo.PlantedFindings;
import dev.vigil.demo.TrafficStats;
import dev.vigil.engine.kafka.LogVerifier;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import dev.vigil.service.status.ServiceState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What services tell at the end of a small demo: 100 events, of which 12 alert, unless a test wants something else. */
final class DemoFigures {
    private static final LatencyStatus LATENCY = new LatencyStatus(100, 12, 80, 90, 95);
    private static final long SCORED = 100;

    private AlertingStatus alerting = alerting(12, 5, 0, 7, 0, 0);
    private DemoHistory history = history(7, 5, 0);
    private PlantedFindings planted = findings(2, 1, 1);
    private List<String> policies = List.of("card-fraud version 1");
    private List<String> unfinished = List.of();
    private LogVerifier.@Nullable Result replay;
    private long corrections;
    private long rows = SCORED;
    private long late;
    private long lateRows;
    private long transactions = 90;
    private long deadLetters;

    private DemoFigures() {}

    DemoFigures corrections(long corrections) {
        this.corrections = corrections;
        return this;
    }

    DemoFigures rows(long ofScoredEvents) {
        this.rows = ofScoredEvents;
        return this;
    }

    DemoFigures history(DemoHistory history) {
        this.history = history;
        return this;
    }

    DemoFigures late(long events, long rows) {
        this.late = events;
        this.lateRows = rows;
        return this;
    }

    DemoFigures transactions(long inPostgres) {
        this.transactions = inPostgres;
        return this;
    }

    DemoFigures deadLetters(long letters) {
        this.deadLetters = letters;
        return this;
    }

    DemoFigures replay(long compared, long differing, long putAside) {
        this.replay = new LogVerifier.Result(compared, 0, differing, 0, 0, putAside, null);
        return this;
    }

    DemoFigures unfinished(String... unfinished) {
        this.unfinished = List.of(unfinished);
        return this;
    }

    DemoFigures policies(String... policies) {
        this.policies = List.of(policies);
        return this;
    }

    /** Of the events that a small demo has. */
    static DemoHistory history(long delivered, long suppressed, long givenUp) {
        return new DemoHistory(90, SCORED, 0, delivered, suppressed, givenUp);
    }

    static EngineStatus engine(long alerts) {
        return engine(alerts, 0, 0);
    }

    private static EngineStatus engine(long alerts, long corrections, long late) {
        RecordCounts counts = new RecordCounts(SCORED + 4 + late, SCORED, 4, 0, 0, 0, late, 0);
        EngineStatus.PartitionStatus partition = new EngineStatus.PartitionStatus(
                0, counts.read(), counts.read(), null, counts, alerts, corrections, 0, null, null, null);
        return new EngineStatus(
                "scoring-engine",
                ServiceState.RUNNING,
                null,
                "p",
                1,
                counts,
                alerts,
                LATENCY,
                LATENCY,
                List.of(partition));
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
                0,
                0,
                0,
                unrouted,
                delivered,
                0,
                givenUp,
                pending,
                LATENCY,
                LATENCY,
                false,
                List.of());
    }

    /** @param commitDueAtMs absent: nothing waits */
    static LakehouseStatus lakehouse(long alerts, @Nullable Long commitDueAtMs, @Nullable Long lastCommitAtMs) {
        return lakehouse(
                commitDueAtMs,
                List.of(table("scored_events", SCORED, lastCommitAtMs), table("alerts", alerts, lastCommitAtMs)));
    }

    private static LakehouseStatus lakehouse(@Nullable Long commitDueAtMs, List<LakehouseStatus.TableStatus> tables) {
        return new LakehouseStatus("lakehouse-sink", ServiceState.RUNNING, null, 0, commitDueAtMs, null, tables);
    }

    private static LakehouseStatus.TableStatus table(String name, long rows, @Nullable Long lastCommitAtMs) {
        return new LakehouseStatus.TableStatus(name, lastCommitAtMs == null ? 0 : rows, 1, lastCommitAtMs, null);
    }

    static DemoReport report(AlertingStatus alerting, DemoHistory history) {
        return report(alerting, history, findings(2, 1, 1));
    }

    static DemoReport report(AlertingStatus alerting, DemoHistory history, PlantedFindings planted) {
        return report(figures -> {
            figures.alerting = alerting;
            figures.history = history;
            figures.planted = planted;
            return figures;
        });
    }

    static DemoReport report(UnaryOperator<DemoFigures> changes) {
        return changes.apply(new DemoFigures()).report();
    }

    private DemoReport report() {
        List<LakehouseStatus.TableStatus> tables = new ArrayList<>();
        tables.add(table("scored_events", rows, 1L));
        tables.add(table("alerts", alerting.alerts(), 1L));
        tables.add(table("late_events", lateRows, 1L));
        return DemoReport.of(new DemoReport.Figures(
                40,
                30,
                policies,
                engine(alerting.alerts(), corrections, late),
                alerting,
                lakehouse(null, tables),
                new CdcStatus(
                        "cdc-ingest",
                        ServiceState.RUNNING,
                        null,
                        "streaming",
                        90,
                        90,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        null,
                        null,
                        null),
                new TrafficStats(90, 0, 10, 0, 0, 0, 0, 0, 0, 0, Map.of()),
                transactions,
                0,
                SCORED + 4 + late,
                deadLetters,
                history,
                planted,
                history.delivered(),
                replay,
                unfinished));
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
