package dev.vigil.lakehouse.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.Delivery;
import dev.vigil.event.FieldType;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.lakehouse.HistoryRow;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.Positions;
import dev.vigil.lakehouse.TestRecords;
import dev.vigil.lakehouse.iceberg.HistoryCatalog;
import dev.vigil.lakehouse.iceberg.IcebergHistoryStore;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryReaderTest {
    @TempDir
    Path dataDir;

    @Test
    void shouldGiveEventsBackAsTheyWereInTheOrderOfTheLog() {
        List<ScoredEvent> written = new ArrayList<>();
        for (int partition = 0; partition < 3; partition++) {
            for (long offset = 0; offset < 100; offset++) {
                written.add(event(partition, offset, new Random(offset).nextInt(1_000)));
            }
        }
        List<ScoredEvent> shuffled = new ArrayList<>(written);
        Collections.shuffle(shuffled, new Random(1));
        write(shuffled);

        try (HistoryReader reader = HistoryReader.open(LakehouseConfig.defaults(), dataDir, 64);
                Stream<ScoredEvent> events = reader.scoredEvents(HistoryReader.Range.ALL)) {
            assertThat(events).containsExactlyElementsOf(written);
            assertThat(reader.types())
                    .isEqualTo(new HistoryReader.Types(
                            Map.of("amount", FieldType.MONEY, "opened", FieldType.TIMESTAMP),
                            Map.of("n", FieldType.LONG, "ratio", FieldType.DOUBLE)));
        }
    }

    @Test
    void shouldReadAStretchByEventTime() {
        write(List.of(event(0, 0, 0), event(0, 1, 60), event(0, 2, 120)));
        Instant noon = Instant.ofEpochSecond(TestRecords.NOON_US / 1_000_000);

        try (HistoryReader reader = HistoryReader.open(LakehouseConfig.defaults(), dataDir, 64);
                Stream<ScoredEvent> events = reader.scoredEvents(
                        new HistoryReader.Range(noon.plusSeconds(60), noon.plusSeconds(120), null))) {
            assertThat(events.map(e -> e.position().offset())).containsExactly(1L);
        }
    }

    @Test
    void shouldReadAFormerLogBeforeTheOneThatReplacedIt() {
        ScoredEvent inNewLog = event(0, 0, 600);
        ScoredEvent inOldLog = at(event(0, 7, 0), new SourcePosition("zzz-the-old-log", 0, 7));
        write(List.of(inNewLog, inOldLog));

        try (HistoryReader reader = HistoryReader.open(LakehouseConfig.defaults(), dataDir, 64);
                Stream<ScoredEvent> events = reader.scoredEvents(HistoryReader.Range.ALL)) {
            assertThat(events).containsExactly(inOldLog, inNewLog);
        }
    }

    @Test
    void shouldReadAnyTableAsRowsAndNothingFromAnEmptyOne() {
        try (HistoryCatalog catalog = HistoryCatalog.forWriting(LakehouseConfig.defaults(), dataDir);
                IcebergHistoryStore store = new IcebergHistoryStore(catalog, HistoryTable.DELIVERIES, 4)) {
            Positions from = store.open();
            store.write(new HistoryRow.Attempted(TestRecords.delivery(0, 1, 2, Delivery.Outcome.DELIVERED)));
            store.write(new HistoryRow.Attempted(TestRecords.delivery(0, 1, 1, Delivery.Outcome.FAILED)));
            store.commit(from, new Positions(1, "t", new TreeMap<>(), new TreeMap<>(), 2, 1, 1));
        }

        try (HistoryReader reader = HistoryReader.open(LakehouseConfig.defaults(), dataDir, 64);
                Stream<Map<String, Object>> rows = reader.rows("deliveries", HistoryReader.Range.ALL);
                Stream<ScoredEvent> none = reader.scoredEvents(HistoryReader.Range.ALL)) {
            assertThat(rows.map(row -> row.get("outcome"))).containsExactlyInAnyOrder("failed", "delivered");
            assertThat(none).isEmpty();
        }
    }

    private static ScoredEvent event(int partition, long offset, int second) {
        return TestRecords.scored(
                partition,
                offset,
                TestRecords.NOON_US + second * 1_000_000L,
                Map.of("amount", new BigDecimal("12.50"), "opened", 1_717_236_000_000_001L),
                Map.of("n", offset, "ratio", 0.25));
    }

    private static ScoredEvent at(ScoredEvent event, SourcePosition position) {
        return new ScoredEvent(
                event.eventId(),
                event.source(),
                event.type(),
                event.account(),
                event.eventTimeUs(),
                event.ingestTimeMs(),
                event.backfill(),
                event.revision(),
                position,
                event.policy(),
                event.policyVersion(),
                event.score(),
                event.decision(),
                event.fields(),
                event.features(),
                event.rules(),
                event.shadowRules());
    }

    private void write(List<ScoredEvent> events) {
        try (HistoryCatalog catalog = HistoryCatalog.forWriting(LakehouseConfig.defaults(), dataDir);
                IcebergHistoryStore store = new IcebergHistoryStore(catalog, HistoryTable.SCORED_EVENTS, 4)) {
            Positions from = store.open();
            store.declare(TestRecords.schema(
                    1,
                    Map.of("amount", FieldType.MONEY, "opened", FieldType.TIMESTAMP),
                    Map.of("n", FieldType.LONG, "ratio", FieldType.DOUBLE)));
            events.forEach(event -> store.write(new HistoryRow.Scored(event, 1_000)));
            store.commit(from, new Positions(1, "t", new TreeMap<>(), new TreeMap<>(), events.size(), 1, 1));
        }
    }
}
