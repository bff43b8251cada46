package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
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

                  this run, 40 s
                  fraud       1 of 2 planted cases caught, half within 1.3 s of the thief's first event; 1 of 1 not over yet
                              card testing 1 of 2
                              2 of 12 alerts were false: on accounts without planted fraud
                  latency     ingest to decision\
                """);
    }

    @Test
    void shouldTellWhatIsOfThisRunFromWhatIsOfTheDataDirectory() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), new DemoHistory(90, 7, 5, 0));

        String summary = summary(report);
        int ofAll = summary.indexOf(
                "\n\n  all runs in this data directory, the bank's past included\n  records     104 read");
        assertThat(ofAll).isPositive();
        assertThat(summary.substring(0, ofAll)).contains("fraud", "latency").doesNotContain("records", "history");
        assertThat(summary.substring(ofAll))
                .contains("alerts  ", "history  ", "balanced")
                .doesNotContain("fraud  ", "latency  ");
    }

    @Test
    void shouldSayOfEachPartOfTheJsonWhichItIs() {
        JsonNode json = Json.mapper()
                .valueToTree(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), new DemoHistory(90, 7, 5, 0)));

        List<String> scoped = new ArrayList<>();
        json.path("scopes")
                .forEach(scope -> scope.forEach(path -> {
                    scoped.add(path.asText());
                    assertThat(json.at("/" + path.asText().replace('.', '/')).isMissingNode()
                                    && !path.asText().equals("replay"))
                            .as(path.asText())
                            .isFalse();
                }));
        List<String> parts = new ArrayList<>();
        json.fieldNames().forEachRemaining(parts::add);
        parts.remove("scopes");
        assertThat(scoped).containsAll(parts).doesNotHaveDuplicates();
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
