package dev.vigil.launcher;

import dev.vigil.alerting.receiver.ReceivedAlert;
import dev.vigil.event.Alert;
import dev.vigil.event.MinorUnits;
import dev.vigil.event.RuleHit;
import dev.vigil.service.status.AlertingStatus;
import dev.vigil.service.status.EngineStatus;
import dev.vigil.service.status.LakehouseStatus;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.stream.Collectors;

/** What a demo tells on the terminal. Safe for any thread. */
final class DemoConsole {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

    private final PrintWriter out;

    DemoConsole(PrintWriter out) {
        this.out = out;
    }

    synchronized void step(String what) {
        print("  … " + what);
    }

    synchronized void ready(String url, String bootstrapServers, String jdbcUrl, Path data) {
        print("");
        print("  page        " + url + "/");
        print("  Kafka       " + bootstrapServers);
        print("  PostgreSQL  " + jdbcUrl);
        print("  data, logs  " + data);
        print("  history     ./vigil query --config " + data.resolve("vigil.yaml")
                + " \"SELECT decision, count(*) FROM scored_events GROUP BY 1\"");
        print("");
        print("  Alerts as the webhook receiver gets them, with the time from ingest to acceptance. Ctrl-C stops.");
        print("");
    }

    synchronized void alertReceived(ReceivedAlert received) {
        Alert alert = received.alert();
        Object amount = alert.fields().get("amount");
        String rules = alert.rules().stream().map(RuleHit::reason).collect(Collectors.joining("; "));
        print(String.format(
                Locale.ROOT,
                "  %s  %-7s %4d  %-10s %12s  %s  (%d ms)%s",
                TIME.format(Instant.ofEpochMilli(received.receivedAtMs())),
                alert.decision().label(),
                alert.score(),
                alert.account(),
                amount == null ? "" : money(amount, alert.currency()),
                rules,
                received.receivedAtMs() - alert.ingestTimeMs(),
                received.repeated() ? " repeated" : ""));
    }

    private static String money(Object amount, String currency) {
        int digits = MinorUnits.of(currency).digits();
        return new BigDecimal(amount.toString()).setScale(digits, RoundingMode.HALF_UP) + " " + currency;
    }

    synchronized void status(EngineStatus engine, AlertingStatus alerting, LakehouseStatus lakehouse) {
        RecordCounts counts = engine.counts();
        LatencyStatus latency = engine.recentLatency();
        print(String.format(
                Locale.ROOT,
                "  -- %,d scored, %,d late, %,d duplicate; %,d alerts, %,d suppressed; decision p50 %d ms p99 %d ms;"
                        + " %,d rows in Iceberg",
                counts.scored(),
                counts.late(),
                counts.duplicate(),
                engine.alerts(),
                alerting.suppressed(),
                latency.p50Ms(),
                latency.p99Ms(),
                lakehouse.tables().stream()
                        .mapToLong(LakehouseStatus.TableStatus::rows)
                        .sum()));
    }

    static void printSummary(PrintWriter out, DemoReport report) {
        RecordCounts counts = report.records();
        out.println();
        out.printf(
                Locale.ROOT,
                "  records     %,d read = %,d scored + %,d control + %,d reference + %,d label + %,d duplicate + %,d late"
                        + " + %,d dead-lettered%n",
                counts.read(),
                counts.scored(),
                counts.control(),
                counts.reference(),
                counts.label(),
                counts.duplicate(),
                counts.late(),
                counts.deadLettered());
        out.printf(
                Locale.ROOT,
                "  alerts      %,d raised = %,d delivered + %,d suppressed%n",
                report.alerts().raised(),
                report.alerts().delivered(),
                report.alerts().suppressed());
        out.printf(
                Locale.ROOT,
                "  history     %s rows in %,d snapshots; %,d transactions in PostgreSQL%n",
                report.iceberg().rows().entrySet().stream()
                        .map(table -> String.format(Locale.ROOT, "%s %,d", table.getKey(), table.getValue()))
                        .collect(Collectors.joining(", ")),
                report.iceberg().snapshots(),
                report.postgres().transactions());
        latency(out, "decision", report.latency().ingestToDecision());
        latency(out, "webhook", report.latency().ingestToWebhook());
        DemoReport.Replay replay = report.replay();
        if (replay != null) {
            out.printf(
                    Locale.ROOT,
                    "  replay      %,d events scored again from the log's start, %,d differ from live%n",
                    replay.compared(),
                    replay.mismatches());
        }
        out.println(report.balanced() ? "  balanced    yes" : "  balanced    NO");
        report.imbalances().forEach(imbalance -> out.println("              " + imbalance));
    }

    private static void latency(PrintWriter out, String name, LatencyStatus latency) {
        out.printf(
                Locale.ROOT,
                "  %-11s ingest to %s p50 %d ms, p99 %d ms, p99.9 %d ms%n",
                "latency",
                name,
                latency.p50Ms(),
                latency.p99Ms(),
                latency.p999Ms());
    }

    private void print(String line) {
        out.println(line);
        out.flush();
    }
}
