package dev.vigil.lakehouse.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.ScoredEvent;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.TableSink;
import dev.vigil.lakehouse.TestRecords;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Field cases E01 to E04. */
class ExactlyOnceTest {
    private static final String ROWS =
            "SELECT count(*), count(DISTINCT event_id), min(source_offset), max(source_offset) FROM scored_events"
                    + " WHERE source_partition = 0";

    @TempDir
    Path dataDir;

    private SinkHarness harness;

    @BeforeEach
    void start() {
        harness = new SinkHarness(HistoryTable.SCORED_EVENTS, dataDir);
    }

    @AfterEach
    void stop() {
        harness.close();
    }

    @Test
    void shouldKeepOneRowWhereTheEngineRepeatsItselfAfterACrash() {
        append(0, 20);
        append(12, 30);
        TableSink sink = harness.newSink();

        harness.drain(sink);

        assertThat(harness.row(ROWS)).isEqualTo(List.of(30L, 30L, 0L, 29L));
        assertThat(sink.counts().repeats()).isEqualTo(8);
        assertThat(sink.status().committed().rows()).isEqualTo(30);
    }

    @Test
    void shouldKnowRepeatsAcrossItsOwnRestart() {
        append(0, 20);
        harness.drain(harness.newSink());
        append(5, 25);

        harness.drain(harness.newSink());

        assertThat(harness.row(ROWS)).isEqualTo(List.of(25L, 25L, 0L, 24L));
    }

    @Test
    void shouldLoseAndRepeatNothingWhereverItDies() {
        harness.topic.pollAtMost(7);
        append(0, 60);
        for (int steps = 1; steps <= 6; steps++) {
            TableSink dies = harness.newSink();
            for (int i = 0; i < steps; i++) {
                dies.doWork();
            }
        }

        harness.drain(harness.newSink());

        assertThat(harness.row(ROWS)).isEqualTo(List.of(60L, 60L, 0L, 59L));
    }

    /** Wherever the engine was cut off among the records of one position, and wherever the sink. */
    @Test
    void shouldKeepEachCorrectionOnceWhereverEngineAndSinkDie() {
        List<ScoredEvent> undisturbed = List.of(
                TestRecords.scored(0, 0),
                TestRecords.scored(0, 1),
                TestRecords.scored(0, 2),
                TestRecords.corrected(0, 0, 2),
                TestRecords.corrected(0, 1, 2),
                TestRecords.scored(0, 3),
                TestRecords.corrected(0, 1, 3),
                TestRecords.scored(0, 4));
        for (int cut = 1; cut <= undisturbed.size(); cut++) {
            undisturbed.subList(0, cut).forEach(event -> harness.topic.append(0, event));
            harness.topic.pollAtMost(3);
            for (int steps = 1; steps <= 4; steps++) {
                TableSink dies = harness.newSink();
                for (int i = 0; i < steps; i++) {
                    dies.doWork();
                }
            }
            harness.drain(harness.newSink());
        }
        List<List<?>> rows = new ArrayList<>(harness.query(
                        "SELECT event_id, revision, source_offset FROM scored_events ORDER BY source_offset, revision")
                .rows());
        assertThat(rows)
                .extracting(Object::toString)
                .containsExactlyInAnyOrderElementsOf(undisturbed.stream()
                        .map(event -> List.of(
                                        event.eventId(),
                                        event.revision(),
                                        event.position().offset())
                                .toString())
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(FlakyCatalog.Trouble.class)
    void shouldFindOutWhatBecameOfACommitInDoubt(FlakyCatalog.Trouble trouble) {
        TableSink sink = harness.newSink();
        warmUp(sink);
        append(0, 10);
        FlakyCatalog.nextCommits(trouble, trouble);

        harness.drain(sink);
        append(10, 20);
        harness.drain(sink);

        assertThat(harness.row(ROWS)).isEqualTo(List.of(20L, 20L, 0L, 19L));
        assertThat(harness.snapshots()).isEqualTo(3);
        assertThat(sink.status().committed()).extracting("rows", "commits").containsExactly(21L, 3L);
    }

    @ParameterizedTest
    @EnumSource(FlakyCatalog.Trouble.class)
    void shouldLoseAndRepeatNothingWhenItDiesWithACommitInDoubt(FlakyCatalog.Trouble trouble) {
        TableSink dies = harness.newSink();
        warmUp(dies);
        append(0, 10);
        FlakyCatalog.nextCommits(trouble);
        dies.doWork();

        harness.drain(harness.newSink());

        assertThat(harness.row(ROWS)).isEqualTo(List.of(10L, 10L, 0L, 9L));
    }

    @Test
    void shouldRefuseTheCommitOfASinkThatWasReplaced() {
        append(0, 5);
        TableSink zombie = harness.newSink();
        zombie.doWork();
        zombie.doWork();
        assertThat(zombie.status().pendingRows()).isEqualTo(5);
        append(5, 8);
        harness.drain(harness.newSink());

        zombie.close();

        assertThat(harness.row(ROWS)).isEqualTo(List.of(8L, 8L, 0L, 7L));
        assertThat(zombie.status().problem()).contains("another sink");
    }

    @Test
    void shouldRefuseTheCommitThatAnotherSinkOvertakesOnItsWayToTheCatalog() {
        TableSink slow = harness.newSink();
        TableSink fast = harness.newSink();
        warmUp(slow);
        harness.drain(fast);
        append(0, 10);
        FlakyCatalog.beforeNextCommit(() -> harness.drain(fast));

        slow.doWork();

        assertThat(slow.status().problem()).contains("another sink");
        harness.drain(slow);
        assertThat(harness.row(ROWS)).isEqualTo(List.of(10L, 10L, 0L, 9L));
        assertThat(harness.snapshots()).isEqualTo(2);
    }

    @Test
    void shouldWaitForTheCatalogWithTheBatchInHandAndCatchUp() {
        TableSink sink = harness.newSink();
        warmUp(sink);
        append(0, 10);
        FlakyCatalog.goDown(true);
        sink.doWork();
        append(10, 500);

        for (int i = 0; i < 5; i++) {
            assertThat(sink.doWork()).isPositive();
        }
        assertThat(sink.status().problem()).contains("the catalog does not answer");
        assertThat(sink.status().pendingRows()).isEqualTo(10);
        assertThat(sink.status().failed()).isFalse();

        FlakyCatalog.goDown(false);
        harness.drain(sink);
        assertThat(sink.status().problem()).isNull();
        assertThat(harness.row(ROWS)).isEqualTo(List.of(500L, 500L, 0L, 499L));
    }

    @Test
    void shouldStartBeforeTheCatalogAnswers() {
        append(0, 10);
        FlakyCatalog.goDown(true);
        TableSink sink = harness.newSink();
        assertThat(sink.doWork()).isPositive();
        assertThat(sink.status().problem()).contains("the catalog does not answer");

        FlakyCatalog.goDown(false);
        harness.drain(sink);

        assertThat(harness.row(ROWS)).isEqualTo(List.of(10L, 10L, 0L, 9L));
    }

    /** So that the columns are there, and the next commit is one of data. */
    private void warmUp(TableSink sink) {
        harness.topic.append(1, TestRecords.scored(1, 0));
        harness.drain(sink);
    }

    private void append(long from, long to) {
        for (long offset = from; offset < to; offset++) {
            harness.topic.append(0, TestRecords.scored(0, offset));
        }
    }
}
