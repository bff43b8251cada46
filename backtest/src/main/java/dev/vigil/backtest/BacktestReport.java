package dev.vigil.backtest;

import dev.vigil.event.Decision;
import dev.vigil.event.Json;
import dev.vigil.service.status.RecordCounts;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a backtest found. A function of source, policies and labels: no clock, no path but the ones given. {@code report.json}
 * is this record in JSON; a member whose value has no meaning, such as a precision without alerts, is left out.
 * Shares run from 0 to 1 and are rounded to 6 decimals.
 *
 * @param format 1; higher when a member changes its meaning
 * @param notes what a reader should know of the source before trusting the figures
 * @param baseline the same of the policy to compare with; absent without one
 */
public record BacktestReport(
        int format,
        Source source,
        List<String> notes,
        LabelCounts labels,
        PolicyResult result,
        @Nullable PolicyResult baseline,
        @Nullable Comparison comparison) {
    public static final int FORMAT = 1;

    public byte[] toJson() {
        try {
            return Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(this);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException("a report is always JSON", e);
        }
    }

    /**
     * @param events as given to the command
     * @param records read from it, policy activations included
     * @param firstEventTime of the scored events, RFC 3339; absent if there is none
     */
    public record Source(
            String events,
            int partitions,
            long records,
            @Nullable String firstEventTime,
            @Nullable String lastEventTime) {}

    /**
     * Of the scored events.
     *
     * @param unreadable labels that said neither fraud nor legitimate; their events count as unlabelled
     * @param inFile ids in the labels file
     */
    public record LabelCounts(long fraud, long legitimate, long unlabelled, long unreadable, long inFile) {}

    /**
     * @param sha256 of the policy's text
     * @param counts what became of the records; activations of the log's own policies count as control
     * @param balanced whether the counts add up to the records read
     * @param setAside the first records that were not scored; all of them are in {@code set-aside.csv}
     */
    public record PolicyResult(
            String policy,
            int version,
            String sha256,
            RecordCounts counts,
            boolean balanced,
            Map<String, Long> deadLetterReasons,
            List<SetAsideRecord> setAside,
            AlertFigures alerts,
            @Nullable AmountFigures amounts,
            List<DecisionFigures> decisions,
            List<RuleFigures> rules,
            List<DayFigures> days,
            List<ScoreFigures> scores) {}

    /**
     * Events whose decision alerts, before cooldown and snoozing.
     *
     * @param afterCooldown how many of them the policy's cooldown lets through
     * @param perDay mean over the calendar days (UTC) from the first event to the last
     * @param precision frauds among the labelled alerts; absent if no event is labelled legitimate
     * @param recall alerts among the labelled frauds that were scored
     * @param falsePositiveRate alerts among the labelled legitimate events that were scored
     */
    public record AlertFigures(
            long events,
            long fraud,
            long legitimate,
            long unlabelled,
            long afterCooldown,
            @Nullable Double perDay,
            @Nullable Double precision,
            @Nullable Double recall,
            @Nullable Double falsePositiveRate) {}

    /**
     * Sums of the policy's amount field, in major units, over labelled events.
     *
     * @param saved of frauds that were declined
     * @param fraudAlerted of frauds that alerted, declined ones included
     * @param legitimateDeclined of legitimate events that were declined
     */
    public record AmountFigures(
            String currency,
            String field,
            BigDecimal fraud,
            BigDecimal saved,
            BigDecimal fraudAlerted,
            BigDecimal legitimateAlerted,
            BigDecimal legitimateDeclined) {}

    public record DecisionFigures(Decision decision, long events, long fraud, long legitimate, long unlabelled) {}

    /** @param shadow evaluated and counted, without a part in scores and decisions */
    public record RuleFigures(
            String rule,
            int score,
            boolean shadow,
            long hits,
            long fraud,
            long legitimate,
            long unlabelled,
            @Nullable Double precision,
            @Nullable Double recall) {}

    /** @param day UTC, of event time */
    public record DayFigures(String day, long events, long alerts, long fraud, long fraudAlerted) {}

    /** Events with a score from {@code from} to {@code to}, both included. */
    public record ScoreFigures(int from, int to, long events, long fraud, long legitimate, long unlabelled) {}

    /**
     * The policy under test beside the baseline, event by event.
     *
     * @param alertingUnderBoth events
     * @param moves events whose decision differs; {@code not_scored} stands where a policy did not score an event
     * @param examples the first changes of each kind; all of them are in {@code changes.csv}
     */
    public record Comparison(
            long alertingUnderBoth,
            ChangeFigures newlyAlerts,
            ChangeFigures noLongerAlerts,
            List<Move> moves,
            List<ChangedEvent> examples) {}

    /** @param fraudAmount of the frauds among them, major units; absent where the policy names no amount */
    public record ChangeFigures(
            long events,
            long fraud,
            long legitimate,
            long unlabelled,
            @Nullable BigDecimal fraudAmount) {}

    public record Move(String from, String to, long events, long fraud, long legitimate, long unlabelled) {}
}
