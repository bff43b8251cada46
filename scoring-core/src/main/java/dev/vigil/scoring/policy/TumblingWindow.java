package dev.vigil.scoring.policy;

import dev.vigil.event.EventTimes;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAdjusters;

/**
 * Windows [start, end) that follow each other without a gap: of a fixed length, counted from 1970-01-01T00:00:00Z, or
 * days, weeks or months of a zone's calendar.
 *
 * <p>A day of Europe/Berlin has 23 hours on 2026-03-29 and 25 on 2026-10-25. A calendar's window begins with the first
 * instant of its first date; where a clock is set back over midnight, the instants of that date's second start belong to
 * it too. A date that a zone left out has a window without instants.
 *
 * @param lengthUs of fixed windows; else 0
 * @param zone of a calendar's windows; else UTC
 */
public record TumblingWindow(Unit unit, long lengthUs, ZoneId zone) {
    public enum Unit {
        FIXED,
        DAY,
        /** From Monday on. */
        WEEK,
        MONTH
    }

    /** Clocks were never set back by more, Alaska's of 1867 included. */
    private static final Duration LONGEST_SET_BACK = Duration.ofHours(25);

    public static TumblingWindow fixed(Duration length) {
        return new TumblingWindow(Unit.FIXED, length.toMillis() * 1_000, ZoneOffset.UTC);
    }

    public static TumblingWindow calendar(Unit unit, ZoneId zone) {
        return new TumblingWindow(unit, 0, zone);
    }

    /** First instant of the window that holds the time, µs. */
    public long startUs(long timeUs) {
        return unit == Unit.FIXED ? Math.floorDiv(timeUs, lengthUs) * lengthUs : firstInstantUs(date(timeUs));
    }

    /** First instant behind the window that holds the time, µs. */
    public long endUs(long timeUs) {
        return unit == Unit.FIXED ? startUs(timeUs) + lengthUs : firstInstantUs(next(date(timeUs)));
    }

    /** No window is longer, µs. */
    public long longestUs() {
        return switch (unit) {
            case FIXED -> lengthUs;
            case DAY -> longestUs(1);
            case WEEK -> longestUs(7);
            case MONTH -> longestUs(31);
        };
    }

    private static long longestUs(int days) {
        return Duration.ofDays(days).plus(LONGEST_SET_BACK).toMillis() * 1_000;
    }

    /** First date of the window that holds the time. Its local date alone does not say, where clocks are set back. */
    private LocalDate date(long timeUs) {
        LocalDate date = first(EventTimes.toInstant(timeUs).atZone(zone).toLocalDate());
        while (firstInstantUs(next(date)) <= timeUs) {
            date = next(date);
        }
        return date;
    }

    private LocalDate first(LocalDate date) {
        return switch (unit) {
            case FIXED, DAY -> date;
            case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
            case MONTH -> date.withDayOfMonth(1);
        };
    }

    private LocalDate next(LocalDate first) {
        return switch (unit) {
            case FIXED, DAY -> first.plusDays(1);
            case WEEK -> first.plusWeeks(1);
            case MONTH -> first.plusMonths(1);
        };
    }

    private long firstInstantUs(LocalDate date) {
        return EventTimes.fromInstant(date.atStartOfDay(zone).toInstant());
    }
}
