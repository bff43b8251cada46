package dev.vigil.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.format.DateTimeFormatter;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventTimesFormatTest {
    private static final int TIMES = 200_000;
    private static final long[] UNITS = {1, 1_000, 1_000_000, 60_000_000, 86_400_000_000L};

    @Test
    void shouldWriteTimesAsTheGeneralFormatterDoesAndReadThemBack() {
        Random random = new Random(1);
        for (int i = 0; i < TIMES; i++) {
            long unit = UNITS[random.nextInt(UNITS.length)];
            long span = (EventTimes.MAX_US - EventTimes.MIN_US) / unit;
            long timeUs = Math.floorDiv(EventTimes.MIN_US, unit) * unit + (long) (random.nextDouble() * span) * unit;
            check(Math.max(timeUs, EventTimes.MIN_US));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0001-01-01T00:00:00Z",
                "1600-02-29T23:59:59.999999Z",
                "1900-02-28T00:00:00Z",
                "1969-12-31T23:59:59.999Z",
                "1970-01-01T00:00:00Z",
                "2000-02-29T12:00:00.000001Z",
                "2100-03-01T00:00:00Z",
                "9999-12-31T23:59:59.999999Z"
            })
    void shouldGiveATimeBackAsItWas(String text) {
        long timeUs = EventTimes.parse(text);
        assertThat(EventTimes.format(timeUs)).isEqualTo(text);
        check(timeUs);
    }

    private static void check(long timeUs) {
        String text = EventTimes.format(timeUs);
        assertThat(text).isEqualTo(DateTimeFormatter.ISO_INSTANT.format(EventTimes.toInstant(timeUs)));
        assertThat(EventTimes.parse(text)).isEqualTo(timeUs);
    }
}
