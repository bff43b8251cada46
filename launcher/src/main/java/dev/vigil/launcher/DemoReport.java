package dev.vigil.launcher;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.vigil.demo.PlantedFindings;
import dev.vigil.demo.TrafficStats;
import dev.vigil.engine.kafka.LogVerifier;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.CdcStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a demo did, in figures that must add up (the design's law 5). Some are of this run, the others of all runs in the data
 * directory; {@code scopes} says which.
 *
 * @param replay absent where the log is too long for it
 * @param imbalances each figure that does not add up, in one line; empty where all do
 */
record DemoReport(
        double seconds,
        PlantedFindings planted,
        RecordCounts records,
        Alerts alerts,
        Deliveries deliveries,
        Iceberg iceberg,
        Postgres postgres,
        Latency latency,
        @Nullable Replay replay,
        TrafficStats traffic,
        boolean balanced,
        List<String> imbalances,
        Scopes scopes) {

    /**
     * Paths within the report.
     *
     * @param thisRun of this run alone, and of the process that it is
     * @param dataDirectory of all runs in the data directory so far, the bank's past included
     */
    record Scopes(List<String> thisRun, List<String> dataDirectory) {
        private static final Scopes ALL = new Scopes(
                List.of(
                        "seconds",
                        "planted",
                        "latency",
                        "traffic",
                        "alerts.received_distinct",
                        "postgres.captured_changes"),
                List.of("records", "alerts", "deliveries", "iceberg", "postgres", "replay", "balanced", "imbalances"));
    }

    /**
     * What became of each alert.
     *
     * @param delivered accepted by at least one endpoint
     * @param unrouted wanted by no endpoint
     * @param givenUp accepted by none, without a further attempt
     * @param receivedDistinct of them, those that the built-in receiver got in this run
     */
    record Alerts(long raised, long delivered, long suppressed, long unrouted, long givenUp, long receivedDistinct) {}

    /** Pairs of an alert and an endpoint that it goes to: as many per alert as endpoints want it. */
    record Deliveries(long accepted, long failedAttempts, long pending, long givenUp) {}

    record Iceberg(Map<String, Long> rows, long snapshots) {}

    record Postgres(long transactions, long labels, long capturedChanges) {}

    /** The whole log scored again without state, compared byte for byte with what was scored live. */
    record Replay(long compared, long mismatches) {
        static @Nullable Replay of(LogVerifier.@Nullable Result result) {
            return result == null ? null : new Replay(result.compared(), result.mismatches());
        }
    }

    record Latency(
            @JsonProperty("ingest_to_decision") LatencyStatus ingestToDecision,
            @JsonProperty("ingest_to_webhook_accepted") LatencyStatus ingestToWebhook) {}

    /** What was counted where, once everything has come to rest. */
    record Figures(
            double seconds,
            EngineStatus engine,
            AlertingStatus alerting,
            LakehouseStatus lakehouse,
            CdcStatus cdc,
            TrafficStats traffic,
            long transactions,
            long labels,
            long logRecords,
            DemoHistory history,
            PlantedFindings planted,
            long receivedDistinct,
            LogVerifier.@Nullable Result replay) {}

    static DemoReport of(Figures figures) {
        RecordCounts counts = figures.engine().counts();
        AlertingStatus alerting = figures.alerting();
        Map<String, Long> rows = new LinkedHashMap<>();
        long snapshots = 0;
        for (LakehouseStatus.TableStatus table : figures.lakehouse().tables()) {
            rows.put(table.table(), table.rows());
            snapshots += table.snapshots();
        }
        List<String> imbalances = imbalances(figures, rows);
        return new DemoReport(
                figures.seconds(),
                figures.planted(),
                counts,
                new Alerts(
                        figures.engine().alerts(),
                        figures.history().delivered(),
                        alerting.suppressed(),
                        alerting.unrouted(),
                        figures.history().givenUp(),
                        figures.receivedDistinct()),
                new Deliveries(alerting.delivered(), alerting.failedAttempts(), alerting.pending(), alerting.givenUp()),
                new Iceberg(rows, snapshots),
                new Postgres(
                        figures.transactions(), figures.labels(), figures.cdc().rowsRead()),
                new Latency(figures.engine().latency(), alerting.latency()),
                Replay.of(figures.replay()),
                figures.traffic(),
                imbalances.isEmpty(),
                imbalances,
                Scopes.ALL);
    }

    private static List<String> imbalances(Figures figures, Map<String, Long> rows) {
        Balance balance = new Balance();
        RecordCounts counts = figures.engine().counts();
        AlertingStatus alerting = figures.alerting();
        balance.check("records in the log", figures.logRecords(), "records read", counts.read());
        balance.check(
                "records read",
                counts.read(),
                "the sum of their ends",
                counts.scored()
                        + counts.control()
                        + counts.reference()
                        + counts.label()
                        + counts.duplicate()
                        + counts.late()
                        + counts.deadLettered());
        balance.check(
                "events scored", counts.scored(), "rows in scored_events", rows.getOrDefault("scored_events", 0L));
        balance.check("late events", counts.late(), "rows in late_events", rows.getOrDefault("late_events", 0L));
        balance.check(
                "rows in PostgreSQL's transactions",
                figures.transactions(),
                "transactions in history",
                figures.history().transactions());
        balance.check(
                "labels in PostgreSQL",
                figures.labels(),
                "those among the labels read",
                Math.min(figures.labels(), counts.label()));
        balance.check("alerts raised", figures.engine().alerts(), "alerts taken by alerting", alerting.alerts());
        balance.check("alerts raised", figures.engine().alerts(), "rows in alerts", rows.getOrDefault("alerts", 0L));
        balance.check(
                "alerts raised",
                figures.engine().alerts(),
                "alerts delivered, suppressed, wanted by no endpoint or given up",
                figures.history().delivered()
                        + figures.history().suppressed()
                        + alerting.unrouted()
                        + figures.history().givenUp());
        balance.check(
                "alerts suppressed",
                alerting.suppressed(),
                "suppressed ones in history",
                figures.history().suppressed());
        LogVerifier.Result replay = figures.replay();
        if (replay != null) {
            balance.check("events scored", counts.scored(), "events scored again", replay.compared());
            balance.check("mismatches of the replay", replay.mismatches(), "none", 0);
        }
        balance.check("deliveries pending or given up", alerting.pending() + alerting.givenUp(), "none", 0);
        return balance.problems;
    }

    private static final class Balance {
        private final List<String> problems = new ArrayList<>();

        void check(String left, long leftCount, String right, long rightCount) {
            if (leftCount != rightCount) {
                problems.add(left + ": " + leftCount + ", " + right + ": " + rightCount);
            }
        }
    }
}
