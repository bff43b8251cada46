package dev.vigil.backtest.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.backtest.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetOutputTest {
    /** Whatever a separator, a quote, a line break or an absent value could be taken for. */
    private static final List<String> NASTY = List.of(
            "a,b",
            "\"",
            "\"\"",
            "a\"b",
            "x\ny",
            "x\r\ny",
            " lead",
            "trail ",
            "NULL",
            "\\N",
            "Zürich — 東京",
            "'",
            "#",
            ";");

    @TempDir
    Path directory;

    @Test
    void shouldKeepEveryTextAsItIs() throws Exception {
        BacktestFolder folder = new BacktestFolder(directory);
        List<String> rows = new ArrayList<>();
        for (String text : NASTY) {
            String quoted = "\"" + text.replace("\"", "\"\"") + "\"";
            rows.add("id" + rows.size() + ",2026-01-01T10:00:00Z," + quoted + ",1.00," + quoted + ",,");
        }
        folder.events(rows.toArray(new String[0]));
        Backtest.run(folder.config().withScored(ScoredFormat.PARQUET), Progress.NONE);

        List<List<String>> read = query(folder.out, "SELECT account, last_merchant, any_online FROM scored");
        List<List<String>> expected = new ArrayList<>();
        NASTY.forEach(text -> expected.add(java.util.Arrays.asList(text, text, null)));
        assertThat(read).isEqualTo(expected);
    }

    @Test
    void shouldTypeColumnsAsTheirFeaturesAre() throws Exception {
        BacktestFolder folder = new BacktestFolder(directory);
        folder.events("a,2026-01-01T10:00:00.000001Z,c1,150.00,m1,1,1");
        Backtest.run(folder.config().withScored(ScoredFormat.PARQUET), Progress.NONE);
        assertThat(query(folder.out, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM scored)"))
                .containsExactly(
                        List.of("event_id", "VARCHAR"),
                        List.of("account", "VARCHAR"),
                        List.of("event_time", "TIMESTAMP WITH TIME ZONE"),
                        List.of("score", "BIGINT"),
                        List.of("decision", "VARCHAR"),
                        List.of("rules", "VARCHAR"),
                        List.of("n_1h", "BIGINT"),
                        List.of("sum_1h", "DECIMAL(19,2)"),
                        List.of("last_merchant", "VARCHAR"),
                        List.of("any_online", "BOOLEAN"));
        assertThat(query(folder.out, "SELECT epoch_us(event_time), sum_1h, any_online, rules FROM scored"))
                .containsExactly(List.of("1767261600000001", "150.00", "true", "high"));
    }

    @Test
    void shouldHoldTheSameRowsInTheSameOrderAsTheCsv() throws Exception {
        BacktestFolder folder = new BacktestFolder(directory);
        CardRows.write(folder.events, CardRows.seeded(9, 5_000, 30, 60));
        BacktestConfig config =
                BacktestConfig.of(Scored.HANDBOOK, folder.config().events(), folder.out);
        Backtest.run(config.withScored(ScoredFormat.CSV), Progress.NONE);
        List<List<String>> csv = new ArrayList<>();
        String columns = "event_id, score, CUSTOMER_ID_NB_TX_30DAY_WINDOW, CUSTOMER_ID_AVG_AMOUNT_30DAY_WINDOW";
        Scored.rows(folder.out.resolve("scored.csv.gz"))
                .forEach(row -> csv.add(java.util.Arrays.stream(columns.split(", "))
                        .map(row::get)
                        .toList()));
        Backtest.run(config, Progress.NONE);
        assertThat(query(folder.out, "SELECT " + columns + " FROM scored")).isEqualTo(csv);
    }

    @Test
    void shouldWriteATableOfNoRows() throws Exception {
        BacktestFolder folder = new BacktestFolder(directory);
        Files.writeString(folder.events, BacktestFolder.HEADER);
        Backtest.run(folder.config().withScored(ScoredFormat.PARQUET), Progress.NONE);
        assertThat(query(folder.out, "SELECT count(*) FROM scored")).containsExactly(List.of("0"));
    }

    private static List<List<String>> query(Path out, String sql) throws SQLException, IOException {
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE VIEW scored AS SELECT * FROM read_parquet('"
                    + out.resolve("scored.parquet").toString().replace("'", "''") + "')");
            List<List<String>> rows = new ArrayList<>();
            try (ResultSet result = statement.executeQuery(sql)) {
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                        Object value = result.getObject(i);
                        row.add(value == null ? null : value.toString());
                    }
                    rows.add(row);
                }
            }
            return rows;
        }
    }
}
