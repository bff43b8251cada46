package dev.vigil.backtest.html;

import dev.vigil.backtest.BacktestReport.DayFigures;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** Alerts per day as bars: frauds beneath, the others on top. Days without events are gaps of their true width. */
final class DayChart {
    private static final int MAX_BARS = 190;
    private static final int WIDTH = 960;
    private static final int HEIGHT = 170;
    private static final int TOP = 14;
    private static final int BOTTOM = 20;

    private record Bar(String label, long fraud, long others, long events) {
        long alerts() {
            return fraud + others;
        }
    }

    private final List<Bar> bars;
    private final long daysPerBar;
    private final String first;
    private final String last;

    /** @param days at least one, in order */
    DayChart(List<DayFigures> days) {
        first = days.get(0).day();
        last = days.get(days.size() - 1).day();
        long from = LocalDate.parse(first).toEpochDay();
        long span = LocalDate.parse(last).toEpochDay() - from + 1;
        daysPerBar = (span + MAX_BARS - 1) / MAX_BARS;
        int count = (int) ((span + daysPerBar - 1) / daysPerBar);
        long[][] sums = new long[count][3];
        for (DayFigures day : days) {
            long[] sum = sums[(int) ((LocalDate.parse(day.day()).toEpochDay() - from) / daysPerBar)];
            sum[0] += day.fraudAlerted();
            sum[1] += day.alerts() - day.fraudAlerted();
            sum[2] += day.events();
        }
        bars = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String label = LocalDate.ofEpochDay(from + i * daysPerBar).toString();
            bars.add(new Bar(label, sums[i][0], sums[i][1], sums[i][2]));
        }
    }

    long daysPerBar() {
        return daysPerBar;
    }

    void render(Html html) {
        long most = bars.stream().mapToLong(Bar::alerts).max().orElse(0);
        html.raw("<svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT + "\" role=\"img\" aria-label=\"Alerts per day\">\n");
        html.raw("<line class=\"axis\" x1=\"0\" x2=\"" + WIDTH + "\" y1=\"" + (HEIGHT - BOTTOM) + "\" y2=\""
                + (HEIGHT - BOTTOM) + "\"/>\n");
        double step = (double) WIDTH / bars.size();
        for (int i = 0; i < bars.size(); i++) {
            bar(html, bars.get(i), i * step, Math.min(step * 0.8, 40), most);
        }
        html.raw("<text x=\"0\" y=\"10\">most: ").text(Figures.count(most)).raw("</text>\n");
        html.raw("<text x=\"0\" y=\"" + (HEIGHT - 5) + "\">").text(first).raw("</text>\n");
        html.raw("<text x=\"" + WIDTH + "\" y=\"" + (HEIGHT - 5) + "\" text-anchor=\"end\">")
                .text(last)
                .raw("</text>\n</svg>\n");
    }

    private static void bar(Html html, Bar bar, double x, double width, long most) {
        double unit = most == 0 ? 0 : (double) (HEIGHT - TOP - BOTTOM) / most;
        double fraudHeight = bar.fraud() * unit;
        double otherHeight = bar.others() * unit;
        double base = HEIGHT - BOTTOM;
        html.raw("<g><title>")
                .text(bar.label() + ": " + Figures.count(bar.alerts()) + " alerts, " + Figures.count(bar.fraud())
                        + " of them known frauds; " + Figures.count(bar.events()) + " events")
                .raw("</title>");
        rectangle(html, "fraud", x, base - fraudHeight, width, fraudHeight);
        rectangle(html, "other", x, base - fraudHeight - otherHeight, width, otherHeight);
        html.raw("</g>\n");
    }

    private static void rectangle(Html html, String kind, double x, double y, double width, double height) {
        if (height > 0) {
            html.raw(String.format(
                    java.util.Locale.ROOT,
                    "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>",
                    kind,
                    x,
                    y,
                    width,
                    height));
        }
    }
}
