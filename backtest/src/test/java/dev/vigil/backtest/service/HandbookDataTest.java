package dev.vigil.backtest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.Progress;
import dev.vigil.backtest.SourceSpec;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The public data with features that others published. They may not be shipped: where they are absent, the tests are
 * skipped and say so.
 *
 * <p>Counts agree exactly. Averages are published with 6 decimals, rounded from sums in floating point; ours are the doubles
 * nearest to the exact averages. They agree as far as 6 decimals can tell: each published average is ours rounded to
 * 6 decimals, where an average that lies in the middle between two such numbers may have gone either way.
 */
class HandbookDataTest {
    /** Half of the last published decimal, and the noise of the publisher's sums. */
    private static final Offset<Double> SIX_DECIMALS = Offset.offset(0.000_000_5 + 3e-12);

    private static final int[] DAYS = {1, 7, 30};

    @TempDir
    Path directory;

    private Path data;

    @BeforeEach
    void findData() {
        String folder = System.getenv("VIGIL_SHARED_DATA");
        data = (folder == null ? Scored.REPOSITORY.resolve("../shared/data") : Path.of(folder)).resolve("handbook");
        assumeTrue(
                Files.isDirectory(data),
                "the public handbook data are not at " + data + "; set VIGIL_SHARED_DATA to run this");
    }

    @Test
    void shouldAgreeWithThePublishedWindowsOnTheFirstFourteenDays() throws IOException {
        BacktestReport report = backtest("first14d_raw.csv.gz");
        Map<String, Map<String, String>> scored = byId(directory.resolve("out/scored.csv.gz"), "event_id");
        List<Map<String, String>> published = Scored.rows(data.resolve("first14d_features.csv.gz"));

        assertThat(published).hasSize(134_288);
        assertThat(scored).hasSize(134_288);
        for (Map<String, String> row : published) {
            compare(scored.get(row.get("TRANSACTION_ID")), row);
        }
        assertThat(report.result().counts().scored()).isEqualTo(134_288);
        assertThat(report.result().balanced()).isTrue();
        assertThat(report.result().alerts().precision()).isEqualTo(1.0);
    }

    @Test
    void shouldAgreeWithThePublishedWindowsOfCustomersThatAreComplete() throws IOException {
        BacktestReport report = backtest("small_complete_entities.csv.gz");
        Map<String, Map<String, String>> scored = byId(directory.resolve("out/scored.csv.gz"), "event_id");
        int compared = 0;
        for (Map<String, String> row : Scored.rows(data.resolve("small_complete_entities.csv.gz"))) {
            if (row.get("CUSTOMER_COMPLETE").equals("1")) {
                compare(scored.get(row.get("TRANSACTION_ID")), row);
                compared++;
            }
        }
        assertThat(compared).isEqualTo(13_961);
        assertThat(report.result().counts().scored()).isEqualTo(22_850);
    }

    private static void compare(Map<String, String> ours, Map<String, String> published) {
        String id = published.get("TRANSACTION_ID");
        for (int days : DAYS) {
            String count = "CUSTOMER_ID_NB_TX_" + days + "DAY_WINDOW";
            assertThat(ours.get(count)).as("%s of %s", count, id).isEqualTo(published.get(count));
            String average = "CUSTOMER_ID_AVG_AMOUNT_" + days + "DAY_WINDOW";
            assertThat(Double.parseDouble(ours.get(average)))
                    .as("%s of %s", average, id)
                    .isCloseTo(Double.parseDouble(published.get(average)), SIX_DECIMALS);
        }
    }

    private BacktestReport backtest(String name) throws IOException {
        Path events = inProcessingOrder(data.resolve(name));
        BacktestConfig config = BacktestConfig.of(
                        Scored.HANDBOOK, new SourceSpec.CsvFile(events), directory.resolve("out"))
                .withScored(ScoredFormat.CSV);
        return Backtest.run(config, Progress.NONE).report();
    }

    /**
     * The file with the few payments of one customer in the same second in the order in which the publisher processed
     * them; everywhere else that is the file's own order.
     */
    private Path inProcessingOrder(Path source) throws IOException {
        Map<String, String> firstBySecond = new HashMap<>();
        for (Map<String, String> tie : Scored.rows(data.resolve("customer_ties.csv"))) {
            if (tie.get("REVERSED_VS_ID_ORDER").equals("1")) {
                firstBySecond.put(tie.get("SECOND_TRANSACTION_ID"), tie.get("FIRST_TRANSACTION_ID"));
            }
        }
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = Scored.open(source)) {
            reader.lines().forEach(lines::add);
        }
        Map<String, Integer> places = new HashMap<>();
        for (int i = 1; i < lines.size(); i++) {
            places.put(id(lines.get(i)), i);
        }
        firstBySecond.forEach((second, first) -> {
            Integer a = places.get(second);
            Integer b = places.get(first);
            if (a != null && b != null && a < b) {
                // The second moves behind the first; whoever stands between is of another customer.
                lines.add(b, lines.remove((int) a));
                for (int i = a; i <= b; i++) {
                    places.put(id(lines.get(i)), i);
                }
            }
        });
        Path ordered = directory.resolve("ordered.csv");
        try (BufferedWriter writer = Files.newBufferedWriter(ordered)) {
            for (String line : lines) {
                writer.write(line);
                writer.write('\n');
            }
        }
        return ordered;
    }

    private static String id(String line) {
        return line.substring(0, line.indexOf(','));
    }

    private static Map<String, Map<String, String>> byId(Path file, String id) throws IOException {
        Map<String, Map<String, String>> rows = new HashMap<>();
        Scored.rows(file).forEach(row -> rows.put(row.get(id), row));
        return rows;
    }
}
