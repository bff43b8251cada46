package dev.vigil.lakehouse.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.lakehouse.CommitOutcome;
import dev.vigil.lakehouse.HistoryRow;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.Positions;
import dev.vigil.lakehouse.TestRecords;
import dev.vigil.lakehouse.query.HistoryQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Field case E11: a back-fill over many days. */
class ManyDaysTest {
    private static final int DAYS = 100;
    private static final int ROUNDS = 4;

    @TempDir
    Path dataDir;

    @Test
    void shouldWriteOneFilePerDayWithFewFilesOpenThoughDaysComeInTurn() throws IOException {
        LakehouseConfig config = LakehouseConfig.defaults();
        try (HistoryCatalog catalog = HistoryCatalog.forWriting(config, dataDir);
                IcebergHistoryStore store = new IcebergHistoryStore(catalog, HistoryTable.SCORED_EVENTS, 4)) {
            Positions from = store.open();
            long offset = 0;
            for (int round = 0; round < ROUNDS; round++) {
                for (int day = 0; day < DAYS; day++) {
                    long timeUs = TestRecords.NOON_US - day * TestRecords.DAY_US;
                    store.write(
                            new HistoryRow.Scored(TestRecords.scored(0, offset++, timeUs, Map.of(), Map.of()), 1_000));
                }
            }
            Positions to = new Positions(1, "t", new TreeMap<>(Map.of(0, offset)), new TreeMap<>(), offset, 1, 1);

            assertThat(store.commit(from, to)).isInstanceOf(CommitOutcome.Committed.class);

            try (HistoryQuery query = HistoryQuery.open(config, dataDir)) {
                assertThat(query.run("SELECT count(*), count(DISTINCT event_time::DATE) FROM scored_events")
                                .rows())
                        .containsExactly(List.of((long) DAYS * ROUNDS, (long) DAYS));
            }
            try (Stream<Path> files = Files.walk(dataDir)) {
                assertThat(files.filter(file -> file.toString().endsWith(".parquet")))
                        .hasSize(DAYS);
            }
        }
    }
}
