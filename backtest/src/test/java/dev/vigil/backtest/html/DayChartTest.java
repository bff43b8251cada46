package dev.vigil.backtest.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.backtest.BacktestReport.DayFigures;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DayChartTest {
    @Test
    void shouldDrawADayWithoutEventsAsAGap() {
        DayChart chart = new DayChart(
                List.of(new DayFigures("2026-01-01", 5, 2, 2, 2), new DayFigures("2026-01-04", 5, 1, 0, 0)));
        assertThat(titles(chart))
                .containsExactly(
                        "2026-01-01: 2 alerts, 2 of them known frauds; 5 events",
                        "2026-01-02: 0 alerts, 0 of them known frauds; 0 events",
                        "2026-01-03: 0 alerts, 0 of them known frauds; 0 events",
                        "2026-01-04: 1 alerts, 0 of them known frauds; 5 events");
    }

    @Test
    void shouldPutSeveralDaysIntoABarWhenThereAreMany() {
        List<DayFigures> days = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            days.add(new DayFigures(LocalDate.of(2024, 1, 1).plusDays(i).toString(), 1, 1, 0, 0));
        }
        DayChart chart = new DayChart(days);
        assertThat(chart.daysPerBar()).isEqualTo(6);
        assertThat(titles(chart)).hasSize(167).last().asString().startsWith("2026-09-23: 4 alerts");
    }

    private static List<String> titles(DayChart chart) {
        Html html = new Html();
        chart.render(html);
        return java.util.regex.Pattern.compile("<title>(.*?)</title>")
                .matcher(html.toString())
                .results()
                .map(match -> match.group(1))
                .toList();
    }
}
