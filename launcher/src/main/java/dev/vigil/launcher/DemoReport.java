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
 * @param seconds from the start of the process to the end of the traffic
 * @param trafficSeconds for which traffic was played
 * @param policies that scored in this run, in order; several if another was activated meanwhile
 * @param corrections of earlier scores that late events caused
 * @param replay absent where the log is too long for it, or something was unfinished
 * @param balanced everything was at rest, and all figures add up
 * @param imbalances each figure that does not add up, in one line; empty where all do, and where something was unfinished: then
 *     figures differ because they are of different moments
 * @param unfinished what was still to do when waiting for it was given up, each in one line
 */
record DemoReport(
        double seconds,
        double trafficSeconds,
        List<String> policies,
        PlantedFindings planted,
        RecordCounts records,
        long corrections,
        Alerts alerts,
        Deliveries deliveries,
        Iceberg iceberg,
        Postgres postgres,
        Latency latency,
        @Nullable Replay replay,
        TrafficStats traffic,
        boolean balanced,
        List<String> imbalances,
        List<String> unfinished,
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
                        "traffic_seconds",
                        "policies",
                        "planted",
                        "latency",
                        "traffic",
                        "alerts.received_distinct",
                        "postgres.captured_changes"),
                List.of(
                        "records",
                        "corrections",
                        "alerts",
                        "deliveries",
                        "iceberg",
                        "postgres",
                        "replay",
                        "balanced",
                        "imbalances",
                        "unfinished"));
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

    /**
     * The whole log scored again without state, compared byte for byte with what was scored live.
     *
     * @param compared scored events, and corrections of them
     */
    record Replay(long compared, long mismatches) {
        static @Nullable Replay of(LogVerifier.@Nullable Result result) {
            return result == null ? null : new Replay(result.compared(), result.mismatches());
        }
    }

    record Latency(
            @JsonProperty("ingest_to_decision") LatencyStatus ingestToDecision,
            @JsonProperty("ingest_to_webhook_accepted") LatencyStatus ingestToWebhook) {}

    /** What was counted where, once everything has come to rest, or waiting for that was given up. */
    record Figures(
            double seconds,
            double trafficSeconds,
            List<String> policies,
            EngineStatus engine,
            AlertingStatus alerting,
            LakehouseStatus lakehouse,
            CdcStatus cdc,
            TrafficStats traffic,
            long transactions,
            long labels,
            long logRecords,
            long deadLetters,
            DemoHistory history,
            PlantedFindings planted,
            long receivedDistinct,
            LogVerifier.@Nullable Result replay,
            List<String> unfinished) {
        long corrections() {
            return engine.partitions().stream()
                    .mapToLong(EngineStatus.PartitionStatus::corrections)
                    .sum();
        }
    }

    static DemoReport of(Figures figures) {
        RecordCounts counts = figures.engine().counts();
        AlertingStatus alerting = figures.alerting();
        Map<String, Long> rows = new LinkedHashMap<>();
        long snapshots = 0;
        for (LakehouseStatus.TableStatus table : figures.lakehouse().tables()) {
            rows.put(table.table(), table.rows());
            snapshots += table.snapshots();
        }
        List<String> imbalances = figures.unfinished().isEmpty() ? imbalances(figures, rows) : List.of();
        return new DemoReport(
                figures.seconds(),
                figures.trafficSeconds(),
                figures.policies(),
                figures.planted(),
                counts,
                figures.corrections(),
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
                imbalances.isEmpty() && figures.unfinished().isEmpty(),
                imbalances,
                figures.unfinished(),
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
        long corrections = figures.corrections();
        balance.check(
                "events scored and corrections",
                counts.scored() + corrections,
                "rows in scored_events",
                rows.getOrDefault("scored_events", 0L));
        balance.check(
                "events scored",
                counts.scored(),
                "rows of them in history",
                figures.history().scored());
        balance.check(
                "corrections",
                corrections,
                "rows of them in history",
                figures.history().corrections());
        late(balance, figures, rows.getOrDefault("late_events", 0L));
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
            balance.check(
                    "events scored and corrections",
                    counts.scored() + corrections,
                    "events and corrections scored again",
                    replay.compared());
            balance.check("mismatches of the replay", replay.mismatches(), "none", 0);
        }
        balance.check("deliveries pending or given up", alerting.pending() + alerting.givenUp(), "none", 0);
        return balance.problems;
    }

    /** Late events are put aside, or dropped, as the policy of their time says; dropped ones are counted and nowhere else. */
    private static void late(Balance balance, Figures figures, long putAside) {
        long dropped = figures.engine().counts().late() - putAside;
        LogVerifier.Result replay = figures.replay();
        if (replay == null) {
            balance.checkBetween(
                    "rows in late_events",
                    putAside,
                    "late events",
                    0,
                    figures.engine().counts().late());
        } else {
            balance.check("late events put aside", replay.putAside(), "rows in late_events", putAside);
        }
        // Rows that capture or engine refused are among the dead letters, with others.
        balance.checkBetween(
                "rows in PostgreSQL's transactions",
                figures.transactions(),
                "transactions in history" + (dropped > 0 ? ", with and without late events that were dropped" : "")
                        + (figures.deadLetters() > 0 ? ", with and without dead letters" : ""),
                figures.history().transactions(),
                figures.history().transactions() + Math.max(0, dropped) + figures.deadLetters());
    }

    private static final class Balance {
        private final List<String> problems = new ArrayList<>();

        void check(String left, long leftCount, String right, long rightCount) {
            if (leftCount != rightCount) {
                problems.add(left + ": " + leftCount + ", " + right + ": " + rightCount);
            }
        }

        void checkBetween(String left, long leftCount, String right, long least, long most) {
            if (leftCount < least || leftCount > most) {
                problems.add(left + ": " + leftCount + ", " + right + ": "
                        + (least == most ? Long.toString(least) : least + " to " + most));
            }
        }
    }
}
