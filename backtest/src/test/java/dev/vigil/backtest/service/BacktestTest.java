package dev.vigil.backtest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.BacktestReport.ChangeFigures;
import dev.vigil.backtest.BacktestReport.RuleFigures;
import dev.vigil.backtest.Progress;
import dev.vigil.event.Json;
import dev.vigil.service.status.RecordCounts;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BacktestTest {
    private static final String[] FOUR = {
        "a,2026-01-01T10:00:00Z,c1,150.00,m1,1,1",
        "b,2026-01-01T10:10:00Z,c1,20.00,m2,0,0",
        "c,2026-01-02T10:20:00Z,c1,120.00,m1,,0",
        "d,2026-01-03T10:30:00Z,c2,1.00,m1,1,1"
    };

    @TempDir
    Path directory;

    private BacktestFolder folder;

    @BeforeEach
    void prepare() throws IOException {
        folder = new BacktestFolder(directory);
    }

    @Test
    void shouldWriteOneRowPerEventWithEachFeatureUnderItsName() throws IOException {
        folder.events(FOUR);
        folder.run();
        List<Map<String, String>> rows = folder.scored();
        assertThat(rows).hasSize(4);
        assertThat(rows.get(1))
                .containsEntry("event_id", "b")
                .containsEntry("account", "c1")
                .containsEntry("event_time", "2026-01-01T10:10:00Z")
                .containsEntry("score", "0")
                .containsEntry("decision", "approve")
                .containsEntry("rules", "")
                .containsEntry("n_1h", "2")
                .containsEntry("sum_1h", "170.00")
                .containsEntry("last_merchant", "m2")
                .containsEntry("any_online", "false");
        assertThat(rows.get(3)).containsEntry("rules", "tried").containsEntry("score", "0");
    }

    @Test
    void shouldReportHowGoodThePolicyIs() throws IOException {
        folder.events(FOUR);
        BacktestReport report = folder.run().report();
        BacktestReport.AlertFigures alerts = report.result().alerts();
        assertThat(alerts.events()).isEqualTo(2);
        assertThat(alerts.precision()).isEqualTo(0.5);
        assertThat(alerts.recall()).isEqualTo(0.5);
        assertThat(alerts.falsePositiveRate()).isEqualTo(0.5);
        assertThat(alerts.perDay()).isEqualTo(0.666667);
        assertThat(report.result().amounts()).isNotNull();
        assertThat(report.result().amounts().fraud()).isEqualTo(new BigDecimal("151.00"));
        assertThat(report.result().amounts().fraudAlerted()).isEqualTo(new BigDecimal("150.00"));
        assertThat(report.result().amounts().saved()).isEqualTo(new BigDecimal("0.00"));
        assertThat(report.result().rules())
                .extracting(RuleFigures::rule, RuleFigures::hits, RuleFigures::fraud, RuleFigures::shadow)
                .containsExactly(
                        tuple("high", 2L, 1L, false), tuple("quick", 0L, 0L, false), tuple("tried", 1L, 1L, true));
        assertThat(report.result().days()).hasSize(3);
    }

    @Test
    void shouldClaimNoPrecisionWhereNothingIsKnownToBeLegitimate() throws IOException {
        folder.events(FOUR[0], "b,2026-01-01T10:10:00Z,c2,200.00,m2,0,");
        BacktestReport report = folder.run().report();
        assertThat(report.result().alerts().precision()).isNull();
        assertThat(report.result().rules().get(0).precision()).isNull();
        assertThat(report.result().alerts().recall()).isEqualTo(1.0);
        assertThat(report.notes()).singleElement().asString().contains("No event is labelled legitimate");
    }

    @Test
    void shouldCountTheAlertsThatTheCooldownOfTheirGroupLetsThrough() throws IOException {
        folder.write(
                "small.yaml",
                BacktestFolder.POLICY + "alerts: {on: [review, decline], group_by: merchant, cooldown: 2d}\n");
        folder.events(
                FOUR[0],
                FOUR[1],
                FOUR[2],
                "e,2026-01-04T10:00:00Z,c3,500.00,m1,,",
                "f,2026-01-04T10:00:01Z,c4,500.00,m9,,",
                "g,2026-01-04T10:00:02Z,c5,500.00,,,");
        BacktestReport.AlertFigures alerts = folder.run().report().result().alerts();
        assertThat(alerts.events()).isEqualTo(5);
        assertThat(alerts.afterCooldown()).isEqualTo(4);
    }

    @Test
    void shouldLeaveOutWhatHasNoMeaningWithoutLabels() throws IOException {
        folder.write("small.mapping.yaml", BacktestFolder.MAPPING.replace("label: fraud\n", ""));
        folder.events(FOUR);
        folder.run();
        Map<String, Object> report = Json.decodeObject(Files.readAllBytes(folder.out.resolve("report.json")));
        assertThat(report).doesNotContainKeys("baseline", "comparison");
        Map<?, ?> alerts = (Map<?, ?>) ((Map<?, ?>) report.get("result")).get("alerts");
        assertThat(alerts.containsKey("events")).isTrue();
        assertThat(alerts.containsKey("precision")).isFalse();
        assertThat(alerts.containsKey("recall")).isFalse();
        assertThat(Files.readString(folder.out.resolve("report.html"))).contains("No labels");
    }

    @Test
    void shouldAccountForEveryRowAndNameTheLineOfThoseNotScored() throws IOException {
        folder.events(
                "a,2026-01-01T10:00:00Z,c1,150.00,m1,1,1",
                "too,few",
                "b,yesterday,c1,1.00,m1,1,0",
                "c,2026-01-01T10:00:00Z,,1.00,m1,1,0",
                ",2026-01-01T10:00:00Z,c1,1.00,m1,1,0",
                "d,2026-01-01T10:00:00Z,c1,NaN,m1,1,0",
                "e,2026-01-01T10:00:00Z,c1,1.001,m1,1,0",
                "f,2026-01-01T10:00:00Z,c1,1.00,\"m1,1,0",
                "g,2026-01-01T10:00:00Z,c1,1.00,m1,perhaps,0",
                "a,2026-01-01T10:00:00Z,c1,150.00,m1,1,1",
                "h,2026-01-01T08:00:00Z,c1,1.00,m1,1,0",
                "i,2026-01-01T10:05:00Z,c1,1.00,m1,1,0");
        BacktestResult result = folder.run();
        assertThat(result.report().result().counts()).isEqualTo(new RecordCounts(12, 2, 0, 0, 0, 1, 1, 8));
        assertThat(result.isBalanced()).isTrue();
        assertThat(Files.readAllLines(folder.out.resolve("set-aside.csv")))
                .containsExactly(
                        "position,end,reason,detail",
                        "\"line 3\",dead_lettered,malformed_envelope,\"expected 7 values as the header has them, found 2\"",
                        "\"line 4\",dead_lettered,missing_time,\"at: expected a time as in 2026-11-30T06:55:24Z, found something else\"",
                        "\"line 5\",dead_lettered,missing_account,\"card: empty\"",
                        "\"line 6\",dead_lettered,missing_id,\"id: empty\"",
                        "\"line 7\",dead_lettered,bad_amount,\"amount: expected a decimal amount, found something else\"",
                        "\"line 8\",dead_lettered,bad_amount,\"amount: expected an amount with at most 2 decimals in 64 bits of minor units, as EUR has them\"",
                        "\"line 9\",dead_lettered,malformed_envelope,\"a quote is opened and not closed before the end\"",
                        "\"line 10\",dead_lettered,bad_field,\"online: expected bool, found something else\"",
                        "\"line 11\",duplicate,,\"\"",
                        "\"line 12\",late,,\"\"");
        assertThat(folder.scored()).extracting(row -> row.get("event_id")).containsExactly("a", "i");
    }

    @Test
    void shouldScoreTheSameWhateverTheLabelsSay() throws IOException {
        folder.events(FOUR);
        BacktestReport before = folder.run().report();
        byte[] scored = Files.readAllBytes(folder.out.resolve("scored.csv.gz"));
        List<String> flipped = new ArrayList<>();
        for (String row : FOUR) {
            flipped.add(row.endsWith("1") ? row.replaceFirst("1$", "0") : row.replaceFirst("0$", "fraud"));
        }
        folder.events(flipped.toArray(new String[0]));
        BacktestReport after = folder.run().report();
        assertThat(folder.out.resolve("scored.csv.gz")).hasBinaryContent(scored);
        assertThat(after.labels().fraud()).isEqualTo(before.labels().legitimate());
    }

    @Test
    void shouldPreferLabelsOfTheirOwnFile() throws IOException {
        folder.events(FOUR);
        Path labels = folder.write("labels.csv", "fraud,id\nno,a\nyes,c\n?,b\n,d\n");
        BacktestReport report =
                Backtest.run(folder.config().withLabels(labels), Progress.NONE).report();
        assertThat(report.labels()).isEqualTo(new BacktestReport.LabelCounts(2, 2, 0, 1, 2));
        assertThat(report.result().alerts().fraud()).isEqualTo(1);
        assertThat(report.result().alerts().legitimate()).isEqualTo(1);
    }

    @Test
    void shouldTakeEventsWithoutALabelColumnIfLabelsHaveTheirOwnFile() throws IOException {
        Files.writeString(folder.events, "id,at,card,amount,merchant,online\na,2026-01-01T10:00:00Z,c1,150.00,m1,1\n");
        Path labels = folder.write("labels.csv", "id,fraud\na,1\n");
        BacktestReport report =
                Backtest.run(folder.config().withLabels(labels), Progress.NONE).report();
        assertThat(report.result().alerts().recall()).isEqualTo(1.0);
    }

    @Test
    void shouldSetThePolicyBesideABaselineEventByEvent() throws IOException {
        Path baseline = folder.write(
                "before.yaml",
                BacktestFolder.POLICY
                        .replace("version: 3", "version: 2")
                        .replace("amount > 100.0", "amount > 130.0 || amount < 2.0"));
        folder.events(FOUR);
        BacktestReport report = Backtest.run(folder.config().withBaseline(baseline), Progress.NONE)
                .report();

        assertThat(report.comparison()).isNotNull();
        assertThat(report.comparison().alertingUnderBoth()).isEqualTo(1);
        assertThat(report.comparison().newlyAlerts()).isEqualTo(new ChangeFigures(1, 0, 1, 0, null));
        assertThat(report.comparison().noLongerAlerts())
                .isEqualTo(new ChangeFigures(1, 1, 0, 0, new BigDecimal("1.00")));
        assertThat(report.comparison().moves())
                .containsExactly(
                        new BacktestReport.Move("approve", "review", 1, 0, 1, 0),
                        new BacktestReport.Move("review", "approve", 1, 1, 0, 0));
        assertThat(Files.readAllLines(folder.out.resolve("changes.csv")))
                .containsExactly(
                        "change,event_id,account,event_time,decision,score,baseline_decision,baseline_score,label",
                        "newly_alerts,c,c1,2026-01-02T10:20:00Z,review,60,approve,0,legitimate",
                        "no_longer_alerts,d,c2,2026-01-03T10:30:00Z,approve,0,review,60,fraud");
        assertThat(folder.scored().get(3))
                .containsEntry("baseline_score", "60")
                .containsEntry("baseline_decision", "review");
    }

    @Test
    void shouldCompareEventsThatOnePolicyDoesNotScore() throws IOException {
        Path baseline = folder.write(
                "before.yaml", BacktestFolder.POLICY.replace("allowed_lateness: 1h", "allowed_lateness: 3h"));
        folder.events(FOUR[0], "late,2026-01-01T08:30:00Z,c1,500.00,m1,1,1");
        BacktestReport report = Backtest.run(folder.config().withBaseline(baseline), Progress.NONE)
                .report();
        assertThat(report.comparison()).isNotNull();
        assertThat(report.comparison().moves())
                .containsExactly(new BacktestReport.Move("review", "not_scored", 1, 1, 0, 0));
        assertThat(report.result().counts().late()).isEqualTo(1);
        assertThat(report.baseline()).isNotNull();
        assertThat(report.baseline().counts().late()).isZero();
    }

    @Test
    void shouldGiveTheSameBytesOnEveryRunInBothFormats() throws IOException {
        CardRows.write(folder.events, CardRows.seeded(5, 2_000, 20, 40));
        Path baseline = folder.write(
                "before.yaml", Files.readString(Scored.HANDBOOK).replace("amount > 220.0", "amount > 200.0"));
        for (ScoredFormat format : ScoredFormat.values()) {
            BacktestConfig config = BacktestConfig.of(
                            Scored.HANDBOOK, folder.config().events(), folder.out)
                    .withBaseline(baseline)
                    .withScored(format);
            Backtest.run(config, Progress.NONE);
            Map<String, byte[]> first = folder.results();
            Backtest.run(config, Progress.NONE);
            Map<String, byte[]> second = folder.results();
            assertThat(second.keySet())
                    .containsExactly("changes.csv", "report.html", "report.json", format.fileName(), "set-aside.csv");
            first.forEach((name, bytes) -> assertThat(second.get(name)).as(name).isEqualTo(bytes));
        }
    }

    @Test
    void shouldReplaceTheResultsOfAnEarlierRun() throws IOException {
        folder.events(FOUR);
        Path baseline = folder.write("before.yaml", BacktestFolder.POLICY);
        Backtest.run(folder.config().withBaseline(baseline), Progress.NONE);
        Files.writeString(folder.out.resolve("notes.txt"), "mine");
        Backtest.run(folder.config().withScored(ScoredFormat.PARQUET), Progress.NONE);
        assertThat(folder.results().keySet())
                .containsExactly("notes.txt", "report.html", "report.json", "scored.parquet", "set-aside.csv");
    }
}
