package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CooldownMarkTest {
    private static final Duration COOLDOWN = Duration.ofMinutes(15);

    @ParameterizedTest
    @CsvSource({
        "2026-03-01T12:00:00Z, true",
        "2026-03-01T12:14:59.999999Z, true",
        "2026-03-01T12:15:00Z, false",
        "2026-03-01T13:00:00Z, false",
        "2026-03-01T11:45:00.000001Z, true",
        "2026-03-01T11:45:00Z, false"
    })
    void shouldSuppressWhatLiesWithinTheCooldownOnEitherSide(String time, boolean suppressed) {
        CooldownMark mark = CooldownMark.of(TestAlerts.at(1)
                .of("acc")
                .eventTime("2026-03-01T12:00:00Z")
                .coolingFor(COOLDOWN)
                .alert());

        assertThat(mark.suppresses(TestAlerts.at(2)
                        .of("acc")
                        .eventTime(time)
                        .coolingFor(COOLDOWN)
                        .alert()))
                .isEqualTo(suppressed);
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true"})
    void shouldGoByTheCooldownOfTheLaterAlert(long cooldownMs, boolean suppressed) {
        CooldownMark mark =
                CooldownMark.of(TestAlerts.at(1).coolingFor(COOLDOWN).alert());

        assertThat(mark.suppresses(TestAlerts.at(1)
                        .coolingFor(Duration.ofMillis(cooldownMs))
                        .alert()))
                .isEqualTo(suppressed);
    }
}
