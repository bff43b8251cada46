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
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), DemoFigures.history(7, 5, 0));

        assertThat(report.imbalances()).isEmpty();
        assertThat(report.balanced()).isTrue();
    }

    @Test
    void shouldBalanceAlertsOfSeveralEndpoints() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 5, 0, 21, 0, 0), DemoFigures.history(7, 5, 0));

        assertThat(report.imbalances()).isEmpty();
        assertThat(report.alerts().delivered()).isEqualTo(7);
        assertThat(report.deliveries().accepted()).isEqualTo(21);
    }

    @Test
    void shouldBalanceAlertsOfEndpointsThatTakeSomeDecisions() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 3, 4, 8, 0, 0), DemoFigures.history(5, 3, 0));

        assertThat(report.imbalances()).isEmpty();
        assertThat(report.alerts().unrouted()).isEqualTo(4);
        assertThat(summary(report))
                .contains("  alerts      12 raised = 5 delivered + 3 suppressed + 4 that no endpoint wants\n");
    }

    @Test
    void shouldNameAnAlertThatIsNowhere() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 3, 3, 8, 0, 0), DemoFigures.history(5, 3, 0));

        assertThat(report.imbalances())
                .containsExactly(
                        "alerts raised: 12, alerts delivered, suppressed, wanted by no endpoint or given up: 11");
        assertThat(report.balanced()).isFalse();
    }

    @Test
    void shouldNotCallItBalancedWhereDeliveriesAreLeft() {
        assertThat(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 6, 0, 1), DemoFigures.history(6, 5, 0))
                        .imbalances())
                .contains("deliveries pending or given up: 1, none: 0");
        assertThat(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 6, 1, 0), DemoFigures.history(6, 5, 1))
                        .imbalances())
                .as("a given up alert has an end, and not the one that a demo is to have")
                .containsExactly("deliveries pending or given up: 1, none: 0");
    }

    @Test
    void shouldNoticeASuppressionThatHistoryDoesNotKnow() {
        assertThat(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 8, 0, 0), DemoFigures.history(8, 4, 0))
                        .imbalances())
                .containsExactly("alerts suppressed: 5, suppressed ones in history: 4");
    }

    @Test
    void shouldTellAnAnalystFirstWhatWasFound() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), DemoFigures.history(7, 5, 0));

        assertThat(summary(report)).startsWith("""

                  this run, 30 s of traffic, 40 s with the start
                  fraud       1 of 2 planted cases caught, half within 1.3 s of the thief's first event
                              card testing 1 of 2
                              not counted: 1 more that the thief was still busy with when the traffic ended, 1 of them caught by then
                              2 of 12 alerts were false: on accounts without planted fraud
                  latency     ingest to decision\
                """);
    }

    @Test
    void shouldBalanceCorrectionsAndSayThemApart() {
        DemoReport report = DemoFigures.report(figures -> figures.corrections(7)
                .rows(107)
                .history(new DemoHistory(90, 100, 7, 7, 5, 0))
                .replay(107, 0, 0));

        assertThat(report.imbalances()).isEmpty();
        assertThat(summary(report))
                .contains("  corrections 7 of earlier scores, because of late events\n")
                .contains(
                        "  replay      100 events and 7 corrections scored again from the log's start, 0 differ from live\n")
                .contains("  balanced    yes\n");
    }

    @Test
    void shouldNoticeACorrectionThatHistoryDoesNotKnow() {
        assertThat(DemoFigures.report(figures ->
                                figures.corrections(7).rows(106).history(new DemoHistory(90, 100, 6, 7, 5, 0)))
                        .imbalances())
                .containsExactly(
                        "events scored and corrections: 107, rows in scored_events: 106",
                        "corrections: 7, rows of them in history: 6");
    }

    /** What another policy drops is counted, and stands nowhere else. */
    @Test
    void shouldBalanceLateEventsThatThePolicyDrops() {
        DemoReport report = DemoFigures.report(
                figures -> figures.late(3, 1).transactions(92).replay(100, 0, 1));

        assertThat(report.imbalances()).isEmpty();
    }

    @Test
    void shouldNoticeALateEventThatWasPutAsideAndIsNotInHistory() {
        assertThat(DemoFigures.report(figures -> figures.late(3, 1).replay(100, 0, 2))
                        .imbalances())
                .containsExactly("late events put aside: 2, rows in late_events: 1");
        assertThat(DemoFigures.report(figures -> figures.late(1, 2)).imbalances())
                .as("where the log is too long for a replay")
                .containsExactly("rows in late_events: 2, late events: 0 to 1");
    }

    @Test
    void shouldNoticeATransactionThatIsNowhereThoughOthersWereDropped() {
        assertThat(DemoFigures.report(
                                figures -> figures.late(3, 1).transactions(93).replay(100, 0, 1))
                        .imbalances())
                .containsExactly("rows in PostgreSQL's transactions: 93, transactions in history, with and without late"
                        + " events that were dropped: 90 to 92");
        assertThat(DemoFigures.report(figures -> figures.transactions(91)).imbalances())
                .containsExactly("rows in PostgreSQL's transactions: 91, transactions in history: 90");
    }

    @Test
    void shouldBalanceRowsThatWereRefused() {
        assertThat(DemoFigures.report(figures -> figures.transactions(92).deadLetters(2))
                        .imbalances())
                .isEmpty();
        assertThat(DemoFigures.report(figures -> figures.transactions(93).deadLetters(2))
                        .imbalances())
                .containsExactly("rows in PostgreSQL's transactions: 93, transactions in history, with and without dead"
                        + " letters: 90 to 92");
    }

    /** Figures of different moments differ; that is no loss, and must not read like one. */
    @Test
    void shouldSayWhatWasStillToDoAndNotThatFiguresDiffer() {
        DemoReport report = DemoFigures.report(
                figures -> figures.transactions(500).unfinished("1,234 records of the log are not scored yet"));

        assertThat(report.balanced()).isFalse();
        assertThat(report.imbalances()).isEmpty();
        assertThat(summary(report)).endsWith("""
                  balanced    not known, since waiting for the rest was given up:
                              1,234 records of the log are not scored yet
                              nothing of it is lost: the next start in this data directory goes on with it
                """);
    }

    @Test
    void shouldSayThatThePolicyChangedMeanwhile() {
        assertThat(summary(DemoFigures.report(figures -> figures.policies("card-fraud version 1", "mine version 4"))))
                .contains(
                        "\n  policy      changed meanwhile: card-fraud version 1, then mine version 4; the figures are of all"
                                + " of them\n");
        assertThat(summary(DemoFigures.report(figures -> figures.policies("card-fraud version 1"))))
                .doesNotContain("  policy ");
    }

    @Test
    void shouldTellWhatIsOfThisRunFromWhatIsOfTheDataDirectory() {
        DemoReport report = DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), DemoFigures.history(7, 5, 0));

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
                .valueToTree(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), DemoFigures.history(7, 5, 0)));

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
                DemoFigures.alerting(12, 5, 0, 7, 0, 0), DemoFigures.history(7, 5, 0), DemoFigures.findings(1, 0, 0));

        assertThat(summary(report)).contains("  fraud       0 of 1 planted cases caught\n");
    }

    @Test
    void shouldHaveThePlantedFraudAsABlockOfTheJson() {
        JsonNode json = Json.mapper()
                .valueToTree(DemoFigures.report(DemoFigures.alerting(12, 5, 0, 7, 0, 0), DemoFigures.history(7, 5, 0)));

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
