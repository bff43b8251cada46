package dev.vigil.scoring.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.EventTimes;
import dev.vigil.scoring.policy.TumblingWindow.Unit;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TumblingWindowTest {
    private static long us(String instant) {
        return EventTimes.parse(instant);
    }

    private static void assertWindow(TumblingWindow window, String time, String start, String end) {
        assertThat(EventTimes.format(window.startUs(us(time)))).isEqualTo(start);
        assertThat(EventTimes.format(window.endUs(us(time)))).isEqualTo(end);
    }

    @Test
    void shouldCountFixedWindowsFrom1970() {
        TumblingWindow quarter = TumblingWindow.fixed(Duration.ofMinutes(15));
        assertWindow(quarter, "2026-03-01T10:15:00Z", "2026-03-01T10:15:00Z", "2026-03-01T10:30:00Z");
        assertWindow(quarter, "2026-03-01T10:14:59.999999Z", "2026-03-01T10:00:00Z", "2026-03-01T10:15:00Z");
        assertWindow(quarter, "1969-12-31T23:59:59.999999Z", "1969-12-31T23:45:00Z", "1970-01-01T00:00:00Z");
    }

    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z, 23",
        "Europe/Berlin, 2026-10-25T12:00:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z, 25",
        "Europe/Berlin, 2026-06-01T21:59:59.999999Z, 2026-05-31T22:00:00Z, 2026-06-01T22:00:00Z, 24",
        "Asia/Kolkata, 2026-06-01T18:30:00Z, 2026-06-01T18:30:00Z, 2026-06-02T18:30:00Z, 24",
        // Midnight did not exist there: the day began at one o'clock.
        "America/Sao_Paulo, 2018-11-04T12:00:00Z, 2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z, 23",
        // At one minute past midnight it became 23:01 of the day before, which had begun its end already.
        "America/St_Johns, 2010-11-07T03:00:00Z, 2010-11-07T02:30:00Z, 2010-11-08T03:30:00Z, 25",
        "UTC, 2026-10-25T12:00:00Z, 2026-10-25T00:00:00Z, 2026-10-26T00:00:00Z, 24"
    })
    void shouldFollowTheDaysOfTheZone(String zone, String time, String start, String end, int hours) {
        TumblingWindow day = TumblingWindow.calendar(Unit.DAY, ZoneId.of(zone));
        assertWindow(day, time, start, end);
        assertThat(day.endUs(us(time)) - day.startUs(us(time))).isEqualTo(hours * 3_600_000_000L);
    }

    @Test
    void shouldBeginWeeksOnMondayAndMonthsOnTheFirst() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        assertWindow(
                TumblingWindow.calendar(Unit.WEEK, berlin),
                "2026-03-29T12:00:00Z",
                "2026-03-22T23:00:00Z",
                "2026-03-29T22:00:00Z");
        assertWindow(
                TumblingWindow.calendar(Unit.MONTH, berlin),
                "2026-03-31T21:59:59.999999Z",
                "2026-02-28T23:00:00Z",
                "2026-03-31T22:00:00Z");
    }

    /** Without a gap or an overlap, none longer than is said; a day is what the calendar says, where it says one thing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Europe/Berlin",
                "America/St_Johns",
                "America/Sao_Paulo",
                "Pacific/Apia",
                "Asia/Manila",
                "America/Juneau",
                "Africa/Monrovia",
                "Australia/Lord_Howe",
                "Asia/Kathmandu",
                "+05:45"
            })
    void shouldCoverAllOfTimeOnce(String zone) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (Unit unit : new Unit[] {Unit.DAY, Unit.WEEK, Unit.MONTH}) {
            TumblingWindow window = TumblingWindow.calendar(unit, ZoneId.of(zone));
            for (int i = 0; i < 400; i++) {
                long timeUs = us("1840-01-01T00:00:00Z") + (long) (random.nextDouble() * 200 * 365 * 86_400_000_000.0);
                long start = window.startUs(timeUs);
                long end = window.endUs(timeUs);
                String as = zone + " " + EventTimes.format(timeUs) + ", seed " + seed;
                assertThat(timeUs).as(as).isBetween(start, end - 1);
                assertThat(end - start).as(as).isLessThanOrEqualTo(window.longestUs());
                assertThat(window.startUs(start)).as(as).isEqualTo(start);
                assertThat(window.startUs(end - 1)).as(as).isEqualTo(start);
                assertThat(window.startUs(end)).as(as).isEqualTo(end);
                assertThat(window.endUs(start - 1)).as(as).isEqualTo(start);
            }
        }
        Instant noon = Instant.parse("2024-01-01T12:00:00Z");
        for (int day = 0; day < 1_000; day++) {
            Instant time = noon.plus(Duration.ofDays(day));
            LocalDate date = time.atZone(ZoneId.of(zone)).toLocalDate();
            TumblingWindow window = TumblingWindow.calendar(Unit.DAY, ZoneId.of(zone));
            assertThat(window.startUs(EventTimes.fromInstant(time)))
                    .isEqualTo(EventTimes.fromInstant(
                            date.atStartOfDay(ZoneId.of(zone)).toInstant()));
        }
    }
}
