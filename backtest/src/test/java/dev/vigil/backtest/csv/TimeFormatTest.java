package dev.vigil.backtest.csv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeFormatTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|2026-11-30T07:55:24.25+01:00|2026-11-30T06:55:24.250Z",
                "{format: epoch_s}|1522540831|2018-04-01T00:00:31Z",
                "{format: epoch_ms}|1522540831250|2018-04-01T00:00:31.250Z",
                "{format: epoch_us}|-1|1969-12-31T23:59:59.999999Z",
                "{format: 'yyyy-MM-dd HH:mm:ss', zone: UTC}|2018-04-01 00:00:31|2018-04-01T00:00:31Z",
                "{format: 'dd.MM.yyyy HH:mm', zone: Europe/Berlin}|30.11.2026 07:55|2026-11-30T06:55:00Z",
                "{format: 'yyyy-MM-dd', zone: Europe/Berlin}|2026-11-30|2026-11-29T23:00:00Z",
                "{format: 'yyyy-MM-dd HH:mm:ssXXX'}|2026-11-30 07:55:24+01:00|2026-11-30T06:55:24Z",
                // Clocks go back: the hour is there twice, and the earlier one is meant.
                "{format: 'yyyy-MM-dd HH:mm', zone: Europe/Berlin}|2026-10-25 02:30|2026-10-25T00:30:00Z"
            })
    void shouldReadATimeInEachForm(String mapping, String text, String expected) {
        assertThat(format(mapping).parseUs(text))
                .isEqualTo(dev.vigil.event.EventTimes.fromInstant(Instant.parse(expected)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}|2026-11-30T07:55:24",
                "{format: epoch_s}|99999999999999",
                "{format: epoch_s}|1.5",
                "{format: 'yyyy-MM-dd HH:mm:ss', zone: UTC}|2026-02-30 00:00:00",
                "{format: 'yyyy-MM-dd HH:mm:ss', zone: UTC}|2026-02-28T00:00:00",
                "{format: 'yyyy-MM-dd HH:mm:ss', zone: UTC}|2026-02-28 00:00:0",
                "{format: 'yyyy-MM-dd HH:mm:ss', zone: UTC}|2026-02-28 0 :00:00",
                "{format: 'yyyy-MM-dd HH:mm:ss', zone: UTC}|26-000-28 00:00:00",
                "{format: 'yyyy-MM-dd HH:mm:ss', zone: UTC}|2026-02-28 24:00:00",
                // Clocks go forward over it.
                "{format: 'yyyy-MM-dd HH:mm', zone: Europe/Berlin}|2026-03-29 02:30"
            })
    void shouldRefuseWhatIsNoSuchTime(String mapping, String text) {
        TimeFormat format = format(mapping);
        assertThatThrownBy(() -> format.parseUs(text))
                .isInstanceOfAny(DateTimeException.class, ArithmeticException.class, NumberFormatException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{format: 'yyyy-MM-dd'}",
                "{format: epoch}",
                "{format: 'yyyy-QQQQQQQQ', zone: UTC}",
                "{format: rfc3339, zone: UTC}",
                "{format: 'yyyy-MM-dd', zone: Europe/Atlantis}"
            })
    void shouldRefuseAFormThatCannotBeMeant(String mapping) {
        assertThatThrownBy(() -> format(mapping))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("m.yaml:1:");
    }

    private static TimeFormat format(String mapping) {
        return TimeFormat.read(ConfigDocument.parse("m.yaml", mapping));
    }
}
