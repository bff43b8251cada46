package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.config.ConfigDocument;
import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Of alerts with score 85, amount 1250, decision decline, for which the rule velocity hit; unless said otherwise. */
final class AlertFilterTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                | true",
                "{decisions: [decline]}                            | true",
                "{decisions: [review, approve]}                    | false",
                "{rules: [velocity]}                               | true",
                "{rules: [takeover, velocity]}                     | true",
                "{rules: [takeover]}                               | false",
                "{min-score: 85}                                   | true",
                "{min-score: 86}                                   | false",
                "{min-amount: 1250}                                | true",
                "{min-amount: 1250.00}                             | true",
                "{min-amount: 1250.01}                             | false",
                "{min-amount: 1, amount-field: total}              | false",
                "{min-score: 85, rules: [velocity], min-amount: 9} | true",
                "{min-score: 85, rules: [takeover], min-amount: 9} | false"
            })
    void shouldWantAlertsForWhichEveryConditionHolds(String yaml, boolean wanted) {
        assertThat(filter(yaml).wants(TestAlerts.at(1).alert())).isEqualTo(wanted);
    }

    @Test
    void shouldCompareAmountsWithoutRounding() {
        Alert alert = Json.decode(
                new String(TestAlerts.at(1).json(), StandardCharsets.UTF_8)
                        .replace("\"amount\":1250", "\"amount\":0.29")
                        .getBytes(StandardCharsets.UTF_8),
                Alert.class);

        assertThat(filter("{min-amount: 0.29}").wants(alert)).isTrue();
        assertThat(filter("{min-amount: 0.30}").wants(alert)).isFalse();
    }

    @Test
    void shouldNotWantWhatHasNoAmountWhereOneIsAskedFor() {
        Alert review = TestAlerts.at(1).decided(Decision.REVIEW).alert();

        assertThat(filter("{min-amount: 0, amount-field: limit}").wants(review)).isFalse();
    }

    private static AlertFilter filter(String yaml) {
        return AlertFilter.from(ConfigDocument.parse("vigil.yaml", yaml));
    }
}
