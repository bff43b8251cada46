package dev.vigil.backtest.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.BacktestReport.AlertFigures;
import dev.vigil.backtest.BacktestReport.AmountFigures;
import dev.vigil.backtest.BacktestReport.ChangeFigures;
import dev.vigil.backtest.BacktestReport.Comparison;
import dev.vigil.backtest.BacktestReport.DayFigures;
import dev.vigil.backtest.BacktestReport.DecisionFigures;
import dev.vigil.backtest.BacktestReport.LabelCounts;
import dev.vigil.backtest.BacktestReport.Move;
import dev.vigil.backtest.BacktestReport.PolicyResult;
import dev.vigil.backtest.BacktestReport.RuleFigures;
import dev.vigil.backtest.BacktestReport.ScoreFigures;
import dev.vigil.backtest.BacktestReport.Source;
import dev.vigil.backtest.ChangedEvent;
import dev.vigil.backtest.Label;
import dev.vigil.backtest.SetAsideRecord;
import dev.vigil.event.Decision;
import dev.vigil.service.status.RecordCounts;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportPageTest {
    private static final String EVIL = "<img src=x onerror=\"alert(1)\">'&";

    @Test
    void shouldShowWhateverCameFromDataAsText() {
        String page = ReportPage.render(report(EVIL));
        assertThat(page).doesNotContain("<img").contains("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&#39;&amp;");
    }

    @Test
    void shouldNeedNothingButItself() {
        String page = ReportPage.render(report("plain"));
        assertThat(page).doesNotContain("<script", "http://", "https://", "url(", "@import", "<link");
    }

    @Test
    void shouldCloseEveryTagThatItOpens() {
        String page = ReportPage.render(report("plain"));
        for (String tag : List.of("table", "tr", "td", "th", "div", "p", "svg", "g", "details", "main", "h2")) {
            assertThat(occurrences(page, "<" + tag + "[ >]")).as(tag).isEqualTo(occurrences(page, "</" + tag + ">"));
        }
    }

    private static long occurrences(String page, String pattern) {
        return java.util.regex.Pattern.compile(pattern).matcher(page).results().count();
    }

    private static BacktestReport report(String text) {
        ChangeFigures change = new ChangeFigures(1, 1, 0, 0, new BigDecimal("12.50"));
        return new BacktestReport(
                1,
                new Source("file:" + text, 1, 4, "2026-01-01T00:00:00Z", "2026-01-03T00:00:00Z"),
                List.of(text),
                new LabelCounts(1, 2, 0, 0, 0),
                result(text),
                result(text),
                new Comparison(
                        1,
                        change,
                        change,
                        List.of(new Move("approve", "decline", 1, 1, 0, 0)),
                        List.of(new ChangedEvent(
                                "newly_alerts",
                                text,
                                text,
                                "2026-01-01T00:00:00Z",
                                Decision.DECLINE,
                                90,
                                null,
                                null,
                                Label.FRAUD))));
    }

    private static PolicyResult result(String text) {
        return new PolicyResult(
                text,
                1,
                "",
                new RecordCounts(4, 3, 0, 0, 0, 0, 0, 1),
                true,
                Map.of("bad_amount", 1L),
                List.of(new SetAsideRecord("line 3", "dead_lettered", "bad_amount", text)),
                new AlertFigures(1, 1, 0, 0, 1, 0.3, 1.0, null, null),
                new AmountFigures(
                        "EUR",
                        "amount",
                        BigDecimal.TEN,
                        BigDecimal.TEN,
                        BigDecimal.TEN,
                        BigDecimal.ZERO,
                        BigDecimal.ZERO),
                List.of(new DecisionFigures(Decision.APPROVE, 2, 0, 2, 0)),
                List.of(new RuleFigures(text, 90, true, 1, 1, 0, 0, 1.0, 1.0)),
                List.of(new DayFigures("2026-01-01", 1, 1, 1, 1), new DayFigures("2026-01-03", 2, 0, 0, 0)),
                List.of(new ScoreFigures(0, 9, 2, 0, 2, 0)));
    }
}
