package dev.vigil.backtest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.Progress;
import dev.vigil.backtest.SourceSpec;
import dev.vigil.config.ConfigException;
import dev.vigil.event.Decision;
import dev.vigil.event.FieldType;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.ScoredSchema;
import dev.vigil.event.SourcePosition;
import dev.vigil.lakehouse.HistoryRow;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.Positions;
import dev.vigil.lakehouse.iceberg.HistoryCatalog;
import dev.vigil.lakehouse.iceberg.IcebergHistoryStore;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IcebergBacktestTest {
    private static final int PARTITIONS = 3;

    @TempDir
    Path directory;

    @Test
    void shouldScoreHistoryAsItScoresAFileOfTheSameEvents() throws Exception {
        List<CardRows.Row> rows = CardRows.seeded(6, 600, 12, 20);
        List<ScoredEvent> history = new ArrayList<>();
        rows.forEach(row -> history.add(event(row, 0)));
        history.add(event(rows.get(100), 1));
        Collections.shuffle(history, new Random(1));
        write(history);

        BacktestReport report = Backtest.run(fromHistory("iceberg:scored_events"), Progress.NONE)
                .report();
        Path file = CardRows.write(directory.resolve("cards.csv"), rows);
        Path fromFile = directory.resolve("from-file");
        Backtest.run(
                BacktestConfig.of(Scored.HANDBOOK, new SourceSpec.CsvFile(file), fromFile)
                        .withScored(ScoredFormat.CSV),
                Progress.NONE);

        assertThat(byId(directory.resolve("from-history"))).hasSameSizeAs(rows).isEqualTo(byId(fromFile));
        assertThat(report.source().partitions()).isEqualTo(PARTITIONS);
        assertThat(report.source().records()).isEqualTo(rows.size());
        assertThat(report.result().balanced()).isTrue();
        assertThat(report.notes()).isEmpty();
    }

    @Test
    void shouldSayWhatHistoryLacks() {
        write(List.of(event(new CardRows.Row(1, 1_767_225_600, 1, 1, 100, false), 0)));
        BacktestConfig config = new BacktestConfig(
                Scored.REPOSITORY.resolve("policies/card-fraud.yaml"),
                null,
                SourceSpec.parse("iceberg:scored_events"),
                null,
                null,
                directory.resolve("out"),
                ScoredFormat.CSV,
                null,
                new BacktestConfig.History(LakehouseConfig.defaults(), directory.resolve("lakehouse")));
        assertThat(Backtest.run(config, Progress.NONE).report().notes())
                .singleElement()
                .asString()
                .contains("no reference rows");
    }

    @Test
    void shouldRefuseAnotherTable() {
        assertThatThrownBy(() -> Backtest.run(fromHistory("iceberg:alerts"), Progress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessage("iceberg:alerts: expected iceberg:scored_events, the table that holds the events");
    }

    private BacktestConfig fromHistory(String events) {
        return BacktestConfig.of(Scored.HANDBOOK, SourceSpec.parse(events), directory.resolve("from-history"))
                .withScored(ScoredFormat.CSV)
                .withHistory(new BacktestConfig.History(LakehouseConfig.defaults(), directory.resolve("lakehouse")));
    }

    /** What was decided then is not what is decided now. */
    private static ScoredEvent event(CardRows.Row row, int revision) {
        return new ScoredEvent(
                String.valueOf(row.id()),
                "/bank",
                "transaction",
                String.valueOf(row.customer()),
                row.timeS() * 1_000_000,
                row.timeS() * 1_000,
                false,
                revision,
                new SourcePosition("log", row.customer() % PARTITIONS, row.id()),
                "other",
                1,
                55,
                Decision.REVIEW,
                Map.of("amount", BigDecimal.valueOf(row.amountMinor(), 2), "terminal", String.valueOf(row.terminal())),
                Map.of(),
                List.of(),
                List.of());
    }

    private void write(List<ScoredEvent> events) {
        try (HistoryCatalog catalog =
                        HistoryCatalog.forWriting(LakehouseConfig.defaults(), directory.resolve("lakehouse"));
                IcebergHistoryStore store = new IcebergHistoryStore(catalog, HistoryTable.SCORED_EVENTS, 40)) {
            Positions from = store.open();
            store.declare(new ScoredSchema(
                    "other",
                    1,
                    "EUR",
                    2,
                    new SourcePosition("log", 0, 0),
                    Map.of("amount", FieldType.MONEY, "terminal", FieldType.STRING),
                    Map.of()));
            events.forEach(event -> store.write(new HistoryRow.Scored(event, 1_000)));
            store.commit(from, new Positions(1, "log", new TreeMap<>(), new TreeMap<>(), events.size(), 1, 1));
        }
    }

    private static Map<String, Map<String, String>> byId(Path out) throws Exception {
        Map<String, Map<String, String>> rows = new HashMap<>();
        Scored.rows(out.resolve("scored.csv.gz")).forEach(row -> rows.put(row.get("event_id"), row));
        return rows;
    }
}
