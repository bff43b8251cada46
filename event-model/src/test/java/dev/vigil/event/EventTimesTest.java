package dev.vigil.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventTimesTest {
    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z, 0",
        "1970-01-01T00:00:00.000001Z, 1",
        "1969-12-31T23:59:59.999999Z, -1",
        "2026-11-30T06:55:24.25Z, 1796021724250000",
        "2026-11-30T07:55:24.25+01:00, 1796021724250000",
        "2026-11-30 06:55:24.25Z, 1796021724250000",
        "2024-02-29T00:00:00Z, 1709164800000000",
        "1970-01-01T00:00:00.0000019Z, 1",
        "1969-12-31T23:59:59.9999999Z, -1",
        "0001-01-01T00:00:00Z, -62135596800000000",
        "9999-12-31T23:59:59.999999Z, 253402300799999999",
        "1970-01-01T01:00Z, 3600000000"
    })
    void shouldReadTimes(String text, long timeUs) {
        assertThat(EventTimes.parse(text)).isEqualTo(timeUs);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-11-30",
                "2026-11-30T06:55:24",
                "2026-13-01T00:00:00Z",
                "2023-02-29T00:00:00Z",
                "2026-01-01T24:00:00Z",
                "2026-01-01T00:60:00Z",
                "2026-01-01T23:59:60Z",
                "0000-12-31T23:59:59Z",
                "0001-01-01T00:00:00+01:00",
                "9999-12-31T23:59:59-01:00",
                "+10000-01-01T00:00:00Z",
                "-0001-01-01T00:00:00Z",
                "+999999999-12-31T23:59:59Z",
                "-999999999-01-01T00:00:00Z",
                "2026-01-01T00:00:00.1x3Z",
                "1796021724250"
            })
    void shouldRefuseOthers(String text) {
        assertThatThrownBy(() -> EventTimes.parse(text)).isInstanceOf(DateTimeParseException.class);
    }

    @Test
    void shouldCarryMicrosecondsThroughInstantsAndText() {
        Random random = new Random(1);
        for (int i = 0; i < 10_000; i++) {
            long timeUs = randomTimeUs(random);
            assertThat(EventTimes.fromInstant(EventTimes.toInstant(timeUs))).isEqualTo(timeUs);
            assertThat(EventTimes.parse(EventTimes.format(timeUs))).isEqualTo(timeUs);
        }
    }

    private static long randomTimeUs(Random random) {
        return EventTimes.MIN_US + (long) (random.nextDouble() * (EventTimes.MAX_US - EventTimes.MIN_US));
    }

    /** The quick reading of plain UTC times against java.time for all, on good and on damaged times. */
    @Test
    void shouldAgreeWithJavaTime() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder(EventTimes.format(randomTimeUs(random)));
            if (random.nextBoolean()) {
                text.setCharAt(random.nextInt(text.length()), "0123456789-:.TZtz+ x".charAt(random.nextInt(20)));
            }
            if (random.nextInt(4) == 0) {
                text.deleteCharAt(random.nextInt(text.length()));
            }
            assertThat(outcome(text.toString()))
                    .as("seed %d, %s", seed, text)
                    .isEqualTo(exact(text.toString().replace(' ', 'T')));
        }
    }

    private static String outcome(String text) {
        try {
            return EventTimes.toInstant(EventTimes.parse(text)).toString();
        } catch (DateTimeParseException e) {
            return "refused";
        }
    }

    private static String exact(String text) {
        try {
            Instant instant = OffsetDateTime.parse(text).toInstant();
            instant = instant.minusNanos(instant.getNano() % 1_000);
            boolean inRange = !instant.isBefore(Instant.parse("0001-01-01T00:00:00Z"))
                    && instant.isBefore(Instant.parse("+10000-01-01T00:00:00Z"));
            return inRange ? instant.toString() : "refused";
        } catch (DateTimeException e) {
            return "refused";
        }
    }
}
