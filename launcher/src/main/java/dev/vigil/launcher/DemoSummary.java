package dev.vigil.launcher;

import dev.vigil.demo.PlantedFindings;
import dev.vigil.service.status.LatencyStatus;
import dev.vigil.service.status.RecordCounts;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A demo's report on the terminal: what a fraud analyst asks first, then the figures that must add up. */
final class DemoSummary {
    private final PrintWriter out;

    private DemoSummary(PrintWriter out) {
        this.out = out;
    }

    static void print(PrintWriter out, DemoReport report) {
        out.println();
        new DemoSummary(out).print(report);
        out.flush();
    }

    private void print(DemoReport report) {
        title("this run, %.0f s of traffic, %.0f s with the start", report.trafficSeconds(), report.seconds());
        policies(report.policies());
        planted(report.planted());
        latency("decision", report.latency().ingestToDecision());
        latency("webhook", report.latency().ingestToWebhook());
        out.println();
        title("all runs in this data directory, the bank's past included");
        RecordCounts counts = report.records();
        line(
                "records",
                "%,d read = %,d scored + %,d control + %,d reference + %,d label + %,d duplicate + %,d late"
                        + " + %,d dead-lettered",
                counts.read(),
                counts.scored(),
                counts.control(),
                counts.reference(),
                counts.label(),
                counts.duplicate(),
                counts.late(),
                counts.deadLettered());
        if (report.corrections() > 0) {
            line("corrections", "%,d of earlier scores, because of late events", report.corrections());
        }
        alerts(report.alerts());
        line(
                "history",
                "%s rows in %,d snapshots; %,d transactions in PostgreSQL",
                report.iceberg().rows().entrySet().stream()
                        .map(table -> text("%s %,d", table.getKey(), table.getValue()))
                        .collect(Collectors.joining(", ")),
                report.iceberg().snapshots(),
                report.postgres().transactions());
        DemoReport.Replay replay = report.replay();
        if (replay != null) {
            line(
                    "replay",
                    "%,d events%s scored again from the log's start, %,d differ from live",
                    replay.compared() - report.corrections(),
                    report.corrections() == 0 ? "" : text(" and %,d corrections", report.corrections()),
                    replay.mismatches());
        }
        balance(report);
    }

    private void balance(DemoReport report) {
        if (report.unfinished().isEmpty()) {
            line("balanced", report.balanced() ? "yes" : "NO");
            report.imbalances().forEach(imbalance -> line("", "%s", imbalance));
            return;
        }
        line("balanced", "not known, since waiting for the rest was given up:");
        report.unfinished().forEach(left -> line("", "%s", left));
        line("", "nothing of it is lost: the next start in this data directory goes on with it");
    }

    /** One is as it should be; with several, what was caught and missed says little of either. */
    private void policies(List<String> policies) {
        if (policies.size() > 1) {
            line("policy", "changed meanwhile: %s; the figures are of all of them", String.join(", then ", policies));
        }
    }

    private void planted(PlantedFindings planted) {
        line(
                "fraud",
                "%,d of %,d planted cases caught%s",
                planted.caught(),
                planted.incidents(),
                speed(planted.firstAlertAfterMsMedian()));
        String scenarios = planted.scenarios().entrySet().stream()
                .filter(scenario -> scenario.getValue().incidents() > 0)
                .map(scenario -> text(
                        "%s %,d of %,d",
                        scenario.getKey().replace('-', ' '),
                        scenario.getValue().caught(),
                        scenario.getValue().incidents()))
                .collect(Collectors.joining(", "));
        if (!scenarios.isEmpty()) {
            line("", "%s", scenarios);
        }
        if (planted.unfinished() > 0) {
            line(
                    "",
                    "not counted: %,d more that the thief was still busy with when the traffic ended, %,d of them caught"
                            + " by then",
                    planted.unfinished(),
                    planted.unfinishedCaught());
        }
        line(
                "",
                "%,d of %,d alerts were false: on accounts without planted fraud",
                planted.alerts().falseAlarms(),
                planted.alerts().total());
    }

    private static String speed(@Nullable Long medianMs) {
        if (medianMs == null) {
            return "";
        }
        String time = medianMs < 1_000 ? medianMs + " ms" : text("%.1f s", medianMs / 1_000.0);
        return ", half within " + time + " of the thief's first event";
    }

    private void alerts(DemoReport.Alerts alerts) {
        line(
                "alerts",
                "%,d raised = %,d delivered + %,d suppressed%s%s",
                alerts.raised(),
                alerts.delivered(),
                alerts.suppressed(),
                alerts.unrouted() == 0 ? "" : text(" + %,d that no endpoint wants", alerts.unrouted()),
                alerts.givenUp() == 0 ? "" : text(" + %,d given up", alerts.givenUp()));
    }

    private void latency(String name, LatencyStatus latency) {
        line(
                "latency",
                "ingest to %s p50 %d ms, p99 %d ms, p99.9 %d ms",
                name,
                latency.p50Ms(),
                latency.p99Ms(),
                latency.p999Ms());
    }

    private void title(String format, Object... values) {
        out.println("  " + text(format, values));
    }

    private void line(String what, String format, Object... values) {
        out.println(text("  %-11s ", what) + text(format, values));
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
