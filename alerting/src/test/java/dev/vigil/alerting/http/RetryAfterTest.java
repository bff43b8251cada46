package dev.vigil.alerting.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RetryAfterTest {
    private static final long NOW_MS = Instant.parse("2026-11-30T06:00:00Z").toEpochMilli();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 0",
                "120 | 120000",
                " 5 | 5000",
                "999999999999 | 999999999999000",
                "Mon, 30 Nov 2026 06:00:30 GMT | 30000",
                "Mon, 30 Nov 2026 05:00:00 GMT | 0"
            })
    void shouldReadSecondsAndDates(String header, long delayMs) {
        assertThat(RetryAfter.parseMs(header, NOW_MS)).hasValue(delayMs);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-5", "1.5", "1e9", "9999999999999999999", "Mon, 30 Feb 2026 06:00:30 GMT"})
    void shouldIgnoreNonsense(String header) {
        assertThat(RetryAfter.parseMs(header, NOW_MS)).isEmpty();
    }

    @Test
    void shouldBeAbsentWithoutAHeader() {
        assertThat(RetryAfter.parseMs(null, NOW_MS)).isEmpty();
    }
}
