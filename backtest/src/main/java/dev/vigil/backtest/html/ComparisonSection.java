package dev.vigil.backtest.html;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.BacktestReport.AlertFigures;
import dev.vigil.backtest.BacktestReport.AmountFigures;
import dev.vigil.backtest.BacktestReport.ChangeFigures;
import dev.vigil.backtest.BacktestReport.Comparison;
import dev.vigil.backtest.BacktestReport.Move;
import dev.vigil.backtest.BacktestReport.PolicyResult;
import dev.vigil.backtest.ChangedEvent;
import dev.vigil.event.Decision;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The policy under test beside the baseline. */
final class ComparisonSection {
    private final PolicyResult now;
    private final PolicyResult before;
    private final Comparison comparison;

    ComparisonSection(BacktestReport report, PolicyResult baseline, Comparison comparison) {
        this.now = report.result();
        this.before = baseline;
        this.comparison = comparison;
    }

    void render(Html html) {
        html.element("h2", "Against the baseline");
        sideBySide(html);
        changes(html);
        moves(html);
        examples(html);
    }

    private void sideBySide(Html html) {
        AlertFigures a = now.alerts();
        AlertFigures b = before.alerts();
        html.table("", "#baseline: " + ReportPage.name(before), "#" + ReportPage.name(now), "#change");
        count(html, "events scored", before.counts().scored(), now.counts().scored());
        count(html, "alerts", b.events(), a.events());
        count(html, "alerts after cooldown", b.afterCooldown(), a.afterCooldown());
        count(html, "frauds alerted", b.fraud(), a.fraud());
        count(html, "false alerts", b.legitimate(), a.legitimate());
        share(html, "precision", b.precision(), a.precision());
        share(html, "recall", b.recall(), a.recall());
        share(html, "false positive rate", b.falsePositiveRate(), a.falsePositiveRate());
        AmountFigures x = now.amounts();
        AmountFigures y = before.amounts();
        if (x != null && y != null) {
            html.row(
                    3,
                    List.of(
                            "saved, " + x.currency(),
                            Figures.amount(y.saved()),
                            Figures.amount(x.saved()),
                            Figures.change(x.saved(), y.saved())));
        }
        html.endTable();
    }

    private static void count(Html html, String what, long was, long is) {
        html.row(3, List.of(what, Figures.count(was), Figures.count(is), Figures.change(is - was)));
    }

    private static void share(Html html, String what, @Nullable Double was, @Nullable Double is) {
        html.row(3, List.of(what, Figures.share(was), Figures.share(is), Figures.change(is, was)));
    }

    private void changes(Html html) {
        html.table("", "#events", "#fraud", "#legitimate", "#unlabelled", "#amount of the frauds");
        change(html, "newly alerts", comparison.newlyAlerts());
        change(html, "no longer alerts", comparison.noLongerAlerts());
        html.endTable();
    }

    private static void change(Html html, String what, ChangeFigures figures) {
        html.row(
                5,
                List.of(
                        what,
                        Figures.count(figures.events()),
                        Figures.count(figures.fraud()),
                        Figures.count(figures.legitimate()),
                        Figures.count(figures.unlabelled()),
                        Figures.amount(figures.fraudAmount())));
    }

    private void moves(Html html) {
        if (comparison.moves().isEmpty()) {
            html.element("p", "No event is decided differently.");
            return;
        }
        html.element("h3", "Decided differently");
        html.table("before", "now", "#events", "#fraud", "#legitimate", "#unlabelled");
        for (Move move : comparison.moves()) {
            html.row(
                    4,
                    List.of(
                            move.from(),
                            move.to(),
                            Figures.count(move.events()),
                            Figures.count(move.fraud()),
                            Figures.count(move.legitimate()),
                            Figures.count(move.unlabelled())));
        }
        html.endTable();
    }

    private void examples(Html html) {
        if (comparison.examples().isEmpty()) {
            return;
        }
        html.raw("<details><summary>The first changes of each kind</summary>\n");
        html.table("change", "event", "account", "time", "before", "now", "label");
        for (ChangedEvent event : comparison.examples()) {
            html.row(
                    0,
                    List.of(
                            event.change().replace('_', ' '),
                            event.eventId(),
                            event.account(),
                            event.eventTime(),
                            verdict(event.baselineDecision(), event.baselineScore()),
                            verdict(event.decision(), event.score()),
                            event.label().text()));
        }
        html.endTable().raw("</details>\n").element("p", "All of them are in changes.csv.");
    }

    private static String verdict(@Nullable Decision decision, @Nullable Integer score) {
        return decision == null ? "not scored" : decision.label() + " (" + score + ")";
    }
}
