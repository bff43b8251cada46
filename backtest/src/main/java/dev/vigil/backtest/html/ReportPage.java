package dev.vigil.backtest.html;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.BacktestReport.AlertFigures;
import dev.vigil.backtest.BacktestReport.AmountFigures;
import dev.vigil.backtest.BacktestReport.DecisionFigures;
import dev.vigil.backtest.BacktestReport.PolicyResult;
import dev.vigil.backtest.BacktestReport.RuleFigures;
import dev.vigil.backtest.BacktestReport.ScoreFigures;
import dev.vigil.backtest.SetAsideRecord;
import dev.vigil.service.status.RecordCounts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Renders a report as one page: no script, nothing fetched, everything that came from data escaped. */
public final class ReportPage {
    private final BacktestReport report;
    private final PolicyResult result;
    private final boolean labelled;
    private final Html html = new Html();

    private ReportPage(BacktestReport report) {
        this.report = report;
        this.result = report.result();
        this.labelled = report.labels().fraud() + report.labels().legitimate() > 0;
    }

    public static String render(BacktestReport report) {
        return new ReportPage(report).render();
    }

    private String render() {
        String title = "Backtest of " + name(result);
        html.raw("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        html.element("title", title).raw("<style>\n" + resource("report.css") + "</style>\n</head>\n<body>\n<main>\n");
        html.element("h1", title);
        source();
        tiles();
        if (report.baseline() != null && report.comparison() != null) {
            new ComparisonSection(report, report.baseline(), report.comparison()).render(html);
        }
        days();
        rules();
        decisions();
        scores();
        records();
        html.raw("</main>\n</body>\n</html>\n");
        return html.toString();
    }

    static String name(PolicyResult policy) {
        return policy.policy() + ", version " + policy.version();
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(ReportPage.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void source() {
        html.raw("<p class=\"source\">").text(report.source().events());
        if (report.source().firstEventTime() != null) {
            html.text(" · events from " + report.source().firstEventTime() + " to "
                    + report.source().lastEventTime());
        }
        if (report.baseline() != null) {
            html.text(" · compared with " + name(report.baseline()));
        }
        html.raw("</p>\n");
        for (String note : report.notes()) {
            html.raw("<p class=\"note\">").text(note).raw("</p>\n");
        }
        if (!labelled) {
            html.raw("<p class=\"note\">No labels: what was fraud is not known here, so precision and recall have no"
                    + " meaning.</p>\n");
        }
    }

    private void tiles() {
        AlertFigures alerts = result.alerts();
        AmountFigures amounts = result.amounts();
        html.raw("<div class=\"tiles\">\n");
        tile("Events scored", Figures.count(result.counts().scored()), perLabel());
        tile(
                "Alerts",
                Figures.count(alerts.events()),
                Figures.mean(alerts.perDay()) + " per day, " + Figures.count(alerts.afterCooldown())
                        + " after cooldown");
        if (labelled) {
            tile(
                    "Precision",
                    Figures.share(alerts.precision()),
                    alerts.precision() == null ? "not known" : Figures.count(alerts.legitimate()) + " false alerts");
            tile(
                    "Recall",
                    Figures.share(alerts.recall()),
                    Figures.count(alerts.fraud()) + " of "
                            + Figures.count(report.labels().fraud()) + " frauds");
        }
        if (labelled && amounts != null) {
            tile(
                    "Saved, " + amounts.currency(),
                    Figures.amount(amounts.saved()),
                    "declined, of " + Figures.amount(amounts.fraud()) + " of fraud");
        }
        html.raw("</div>\n");
    }

    private String perLabel() {
        return labelled
                ? Figures.count(report.labels().fraud()) + " frauds, "
                        + Figures.count(report.labels().unlabelled()) + " unlabelled"
                : "all unlabelled";
    }

    private void tile(String name, String figure, String beneath) {
        html.raw("<div class=\"tile\"><span>").text(name).raw("</span><strong>").text(figure);
        html.raw("</strong><small>").text(beneath).raw("</small></div>\n");
    }

    private void days() {
        html.element("h2", "Alerts per day");
        if (result.days().isEmpty()) {
            html.element("p", "No event was scored.");
            return;
        }
        DayChart chart = new DayChart(result.days());
        chart.render(html);
        html.raw("<p class=\"legend\">");
        if (labelled) {
            html.raw("<i class=\"fraud\"></i>known fraud <i class=\"other\"></i>others · ");
        }
        html.text(chart.daysPerBar() == 1 ? "days in UTC" : "each bar " + chart.daysPerBar() + " days, UTC");
        html.raw("</p>\n");
    }

    private void rules() {
        html.element("h2", "Rules");
        rules(result);
        if (report.baseline() != null) {
            html.element("h3", "Rules of the baseline");
            rules(report.baseline());
        }
    }

    private void rules(PolicyResult policy) {
        if (labelled) {
            html.table("rule", "#score", "#hits", "#fraud", "#legitimate", "#unlabelled", "#precision", "#recall");
        } else {
            html.table("rule", "#score", "#hits");
        }
        for (RuleFigures rule : policy.rules()) {
            List<String> cells = new ArrayList<>(List.of(
                    rule.rule() + (rule.shadow() ? " (shadow)" : ""),
                    Figures.count(rule.score()),
                    Figures.count(rule.hits())));
            if (labelled) {
                cells.addAll(known(rule.fraud(), rule.legitimate(), rule.unlabelled()));
                cells.addAll(List.of(Figures.share(rule.precision()), Figures.share(rule.recall())));
            }
            html.row(cells.size() - 1, cells);
        }
        html.endTable();
    }

    private static List<String> known(long fraud, long legitimate, long unlabelled) {
        return List.of(Figures.count(fraud), Figures.count(legitimate), Figures.count(unlabelled));
    }

    private void decisions() {
        html.element("h2", "Decisions");
        html.table("decision", "#events", "#fraud", "#legitimate", "#unlabelled");
        for (DecisionFigures line : result.decisions()) {
            List<String> cells = new ArrayList<>(List.of(line.decision().label(), Figures.count(line.events())));
            cells.addAll(known(line.fraud(), line.legitimate(), line.unlabelled()));
            html.row(4, cells);
        }
        html.endTable();
    }

    private void scores() {
        html.element("h2", "Scores");
        html.table("score", "#events", "#fraud", "#legitimate", "#unlabelled", "#fraud among labelled");
        for (ScoreFigures line : result.scores()) {
            List<String> cells = new ArrayList<>(List.of(line.from() + "–" + line.to(), Figures.count(line.events())));
            cells.addAll(known(line.fraud(), line.legitimate(), line.unlabelled()));
            cells.add(Figures.share(share(line.fraud(), line.fraud() + line.legitimate())));
            html.row(5, cells);
        }
        html.endTable();
    }

    private static @Nullable Double share(long part, long whole) {
        return whole == 0 ? null : (double) part / whole;
    }

    private void records() {
        RecordCounts counts = result.counts();
        html.element("h2", "Records");
        html.table("#read", "#scored", "#control", "#reference", "#label", "#duplicate", "#late", "#dead-lettered");
        html.row(
                8,
                List.of(
                        Figures.count(counts.read()),
                        Figures.count(counts.scored()),
                        Figures.count(counts.control()),
                        Figures.count(counts.reference()),
                        Figures.count(counts.label()),
                        Figures.count(counts.duplicate()),
                        Figures.count(counts.late()),
                        Figures.count(counts.deadLettered())));
        html.endTable();
        html.element("p", result.balanced() ? "The counts add up." : "The counts do NOT add up: please report this.");
        if (!result.setAside().isEmpty()) {
            html.element("h3", "Not scored, the first of them");
            html.table("where", "became", "reason", "detail");
            for (SetAsideRecord record : result.setAside()) {
                html.row(0, List.of(record.position(), record.end(), record.reason(), record.detail()));
            }
            html.endTable().element("p", "All of them are in set-aside.csv.");
        }
    }
}
