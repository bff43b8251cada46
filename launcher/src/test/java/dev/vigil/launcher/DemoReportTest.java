package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class DemoReportTest {
    @Test
    void shouldBalanceAlertsOfOneEndpoint() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), new DemoHistory(90, 7, 5, 0));

        assertThat(report.imbalances()).isEmpty();
        assertThat(report.balanced()).isTrue();
    }

    @Test
    void shouldBalanceAlertsOfSeveralEndpoints() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 5, 0, 21, 0, 0), new DemoHistory(90, 7, 5, 0));

        assertThat(report.imbalances()).isEmpty();
        assertThat(report.alerts().delivered()).isEqualTo(7);
        assertThat(report.deliveries().accepted()).isEqualTo(21);
    }

    @Test
    void shouldBalanceAlertsOfEndpointsThatTakeSomeDecisions() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 3, 4, 8, 0, 0), new DemoHistory(90, 5, 3, 0));

        assertThat(report.imbalances()).isEmpty();
        assertThat(report.alerts().unrouted()).isEqualTo(4);
        assertThat(summary(report))
                .contains("  alerts      12 raised = 5 delivered + 3 suppressed + 4 that no endpoint wants\n");
    }

    @Test
    void shouldNameAnAlertThatIsNowhere() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 3, 3, 8, 0, 0), new DemoHistory(90, 5, 3, 0));

        assertThat(report.imbalances())
                .containsExactly(
                        "alerts raised: 12, alerts delivered, suppressed, wanted by no endpoint or given up: 11");
        assertThat(report.balanced()).isFalse();
    }

    @Test
    void shouldNotCallItBalancedWhereDeliveriesAreLeft() {
        assertThat(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 6, 0, 1), new DemoHistory(90, 6, 5, 0))
                        .imbalances())
                .contains("deliveries pending or given up: 1, none: 0");
        assertThat(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 6, 1, 0), new DemoHistory(90, 6, 5, 1))
                        .imbalances())
                .as("a given up alert has an end, and not the one that a demo is to have")
                .containsExactly("deliveries pending or given up: 1, none: 0");
    }

    @Test
    void shouldNoticeASuppressionThatHistoryDoesNotKnow() {
        assertThat(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 8, 0, 0), new DemoHistory(90, 8, 4, 0))
                        .imbalances())
                .containsExactly("alerts suppressed: 5, suppressed ones in history: 4");
    }

    @Test
    void shouldTellAnAnalystFirstWhatWasFound() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), new DemoHistory(90, 7, 5, 0));

        assertThat(summary(report)).startsWith("""

                  fraud       1 of 2 planted cases caught, half within 1.3 s of the thief's first event; 1 of 1 not over yet
                              card testing 1 of 2
                              2 of 12 alerts of this run were false: on accounts without planted fraud
                  records     104 read = 100 scored + 4 control +\
                """);
    }

    @Test
    void shouldSayNothingOfTimesWhereNothingWasCaught() {
        DemoReport report = DemoFigures.report(
                DemoFigures.alerting(12, 5, 0, 7, 0, 0), new DemoHistory(90, 7, 5, 0), DemoFigures.findings(1, 0, 0));

        assertThat(summary(report)).contains("  fraud       0 of 1 planted cases caught\n");
    }

    @Test
    void shouldHaveThePlantedFraudAsABlockOfTheJson() {
        JsonNode json = Json.mapper()
                .valueToTree(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), new DemoHistory(90, 7, 5, 0)));

        assertThat(json.at("/planted/caught").asLong()).isOne();
        assertThat(json.at("/planted/first_alert_after_ms_median").asLong()).isEqualTo(1_260);
        assertThat(json.at("/planted/scenarios/card-testing/unfinished").asLong())
                .isOne();
        assertThat(json.at("/planted/alerts/false_alarms").asLong()).isEqualTo(2);
        assertThat(json.at("/alerts/unrouted").isIntegralNumber()).isTrue();
    }

    private static String summary(DemoReport report) {
        StringWriter text = new StringWriter();
        DemoSummary.print(new PrintWriter(text), report);
        return text.toString();
    }
}
