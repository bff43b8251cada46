package dev.vigil.backtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.scoring.Policies;
import org.junit.jupiter.api.Test;

class CooldownTest {
    private static final long MINUTE_US = 60_000_000L;

    @Test
    void shouldLetThroughWhatIsACooldownAwayFromTheLastThatWasSent() {
        Cooldown cooldown = cooldown("15m");
        cooldown.add("a", 0);
        cooldown.add("a", 15 * MINUTE_US - 1);
        cooldown.add("b", 15 * MINUTE_US - 1);
        assertThat(cooldown.sent()).isEqualTo(2);
        cooldown.add("a", 15 * MINUTE_US);
        assertThat(cooldown.sent()).isEqualTo(3);
    }

    @Test
    void shouldTreatAlertsOutOfOrderAlike() {
        Cooldown cooldown = cooldown("15m");
        cooldown.add("a", 60 * MINUTE_US);
        cooldown.add("a", 50 * MINUTE_US);
        assertThat(cooldown.sent()).isEqualTo(1);
        cooldown.add("a", 45 * MINUTE_US);
        assertThat(cooldown.sent()).isEqualTo(2);
        cooldown.add("a", 70 * MINUTE_US);
        assertThat(cooldown.sent()).isEqualTo(2);
    }

    @Test
    void shouldLetEverythingThroughWithoutACooldown() {
        Cooldown cooldown = cooldown("0s");
        cooldown.add("a", 0);
        cooldown.add("a", 0);
        assertThat(cooldown.sent()).isEqualTo(2);
    }

    private static Cooldown cooldown(String duration) {
        return new Cooldown(Policies.check(
                "p.yaml",
                "{policy: p, version: 1, currency: EUR, events: {t: {}}, alerts: {cooldown: " + duration + "}}"));
    }
}
