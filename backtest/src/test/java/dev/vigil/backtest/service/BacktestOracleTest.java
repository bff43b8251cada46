package dev.vigil.backtest.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.backtest.Progress;
import dev.vigil.backtest.SourceSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BacktestOracleTest {
    private static final int ROWS = 3_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldComputeEveryWindowAsABruteForceReadingDoes(long seed) throws Exception {
        List<CardRows.Row> rows = CardRows.seeded(seed, ROWS, 12, 70);
        Path file = CardRows.write(directory.resolve("cards.csv"), rows);
        Path out = directory.resolve("out");
        BacktestResult result = Backtest.run(
                BacktestConfig.of(Scored.HANDBOOK, new SourceSpec.CsvFile(file), out)
                        .withScored(ScoredFormat.CSV),
                Progress.NONE);

        List<Map<String, String>> scored = Scored.rows(out.resolve("scored.csv.gz"));
        assertThat(scored).hasSameSizeAs(rows);
        long hits = 0;
        for (int i = 0; i < rows.size(); i++) {
            Map<String, String> row = scored.get(i);
            String where = "seed " + seed + ", row " + rows.get(i).line();
            assertThat(row.get("event_id")).as(where).isEqualTo(String.valueOf(i));
            for (int days : new int[] {1, 7, 30}) {
                List<CardRows.Row> window = CardRows.window(rows, i, days);
                assertThat(row.get("CUSTOMER_ID_NB_TX_" + days + "DAY_WINDOW"))
                        .as(where)
                        .isEqualTo(String.valueOf(window.size()));
                assertThat(Double.parseDouble(row.get("CUSTOMER_ID_AVG_AMOUNT_" + days + "DAY_WINDOW")))
                        .as(where)
                        .isEqualTo(CardRows.mean(window));
            }
            boolean hit = rows.get(i).amountMinor() > 22_000;
            hits += hit ? 1 : 0;
            assertThat(row.get("decision")).as(where).isEqualTo(hit ? "decline" : "approve");
            assertThat(row.get("rules")).as(where).isEqualTo(hit ? "amount-over-220" : "");
        }
        assertThat(result.isBalanced()).isTrue();
        assertThat(result.report().result().alerts().events()).isEqualTo(hits);
        assertThat(result.report().labels().fraud())
                .isEqualTo(rows.stream().filter(CardRows.Row::fraud).count());
    }
}
