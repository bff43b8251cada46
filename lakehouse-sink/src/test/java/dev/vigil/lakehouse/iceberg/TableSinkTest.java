package dev.vigil.lakehouse.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.Summary;
import dev.vigil.lakehouse.HistoryTable;
import dev.vigil.lakehouse.LakehouseConfig;
import dev.vigil.lakehouse.TableSink;
import dev.vigil.lakehouse.TestRecords;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableSinkTest {
    @TempDir
    Path dataDir;

    @Test
    void shouldCommitWhenTheIntervalIsOverAndNothingWhileIdle() {
        try (SinkHarness harness = new SinkHarness(HistoryTable.SCORED_EVENTS, dataDir)) {
            TableSink sink = harness.newSink();
            harness.topic.append(0, TestRecords.scored(0, 0));
            step(sink, 3);
            assertThat(sink.status().pendingRows()).isEqualTo(1);
            assertThat(sink.status().commitDueAtMs()).isEqualTo(harness.nowMs + 60_000);
            assertThat(sink.status().freshUntilMs()).isNull();

            harness.nowMs += 60_000;
            step(sink, 1);
            assertThat(sink.status().pendingRows()).isZero();
            assertThat(sink.status().commitDueAtMs()).isNull();
            assertThat(harness.snapshots()).isEqualTo(1);

            long freshMs = 0;
            for (int minute = 0; minute < 20; minute++) {
                harness.nowMs += 60_000;
                step(sink, 2);
                assertThat(sink.status().freshUntilMs()).isGreaterThan(freshMs);
                freshMs = sink.status().freshUntilMs();
            }
            assertThat(harness.snapshots()).isEqualTo(1);
        }
    }

    @Test
    void shouldShowItsLifeInTheStatusAfterARestart() {
        try (SinkHarness harness = new SinkHarness(HistoryTable.ALERTS, dataDir)) {
            harness.topic.append(0, TestRecords.alert(0, 1));
            harness.drain(harness.newSink());
            harness.topic.append(1, TestRecords.alert(1, 1));
            harness.drain(harness.newSink());

            TableSink restarted = harness.newSink();
            restarted.doWork();

            assertThat(restarted.status().committed())
                    .extracting("rows", "commits", "committedAtMs")
                    .containsExactly(2L, 2L, harness.nowMs);
            assertThat(restarted.status().snapshotId())
                    .isEqualTo(harness.load().currentSnapshot().snapshotId());
        }
    }

    @Test
    void shouldRefuseWhatIsNoRecordOfOursAndGoOn() {
        try (SinkHarness harness = new SinkHarness(HistoryTable.SCORED_EVENTS, dataDir)) {
            harness.topic.append(0, utf8("{\"event_id\": \"4111 1111"), Map.of());
            harness.topic.append(0, utf8("[]"), Map.of());
            harness.topic.append(0, utf8("{\"event_id\":\"e\",\"source\":\"s\"}"), Map.of());
            harness.topic.append(0, TestRecords.scored(0, 3));
            TableSink sink = harness.newSink();

            harness.drain(sink);

            assertThat(harness.row("SELECT count(*) FROM scored_events")).isEqualTo(List.of(1L));
            assertThat(harness.refused).hasSize(3);
            assertThat(sink.counts().refused()).isEqualTo(3);
            assertThat(sink.status().committed().next()).isEqualTo(Map.of(0, 4L));
        }
    }

    @Test
    void shouldReadANewTopicFromItsStartWhereTheFormerWasDeleted() {
        try (SinkHarness harness = new SinkHarness(HistoryTable.SCORED_EVENTS, dataDir)) {
            harness.topic.append(0, TestRecords.scored(0, 0));
            harness.topic.append(0, TestRecords.scored(0, 1));
            harness.drain(harness.newSink());
            harness.topic.recreate("topic-2");
            harness.topic.append(0, TestRecords.scored(0, 2));

            harness.drain(harness.newSink());

            assertThat(harness.row("SELECT count(*) FROM scored_events")).isEqualTo(List.of(3L));
        }
    }

    @Test
    void shouldStopWhereUnreadRecordsAreGoneUnlessTheGapIsAccepted() {
        try (SinkHarness harness = new SinkHarness(HistoryTable.SCORED_EVENTS, dataDir)) {
            harness.topic.append(0, TestRecords.scored(0, 0));
            harness.drain(harness.newSink());
            for (int offset = 1; offset < 10; offset++) {
                harness.topic.append(0, TestRecords.scored(0, offset));
            }
            harness.topic.removeBefore(0, 5);

            TableSink stops = harness.newSink();
            stops.doWork();
            assertThat(stops.status().failed()).isTrue();
            assertThat(stops.status().problem()).contains("records are gone");
            assertThat(stops.requestFlush()).isNotDone();
            stops.doWork();

            LakehouseConfig flaky = SinkHarness.flaky(dataDir);
            TableSink accepts =
                    harness.newSink(new LakehouseConfig(Duration.ofSeconds(60), 10, 4, true, null, flaky.catalog()));
            harness.drain(accepts);
            assertThat(harness.row("SELECT count(*) FROM scored_events")).isEqualTo(List.of(6L));
        }
    }

    @Test
    void shouldGoOnCommittingWhileTheBrokerIsAwayAndSayWhatIsWrong() {
        try (SinkHarness harness = new SinkHarness(HistoryTable.SCORED_EVENTS, dataDir)) {
            TableSink sink = harness.newSink();
            harness.topic.append(0, TestRecords.scored(0, 0));
            step(sink, 2);
            harness.topic.goDown(true);
            harness.nowMs += 60_000;
            step(sink, 1);
            assertThat(sink.status().problem()).isNull();
            assertThat(sink.status().pendingRows()).isZero();

            harness.nowMs += 3_000;
            step(sink, 2);
            assertThat(sink.status().problem()).contains("the broker does not answer");

            harness.topic.goDown(false);
            harness.topic.append(0, TestRecords.scored(0, 1));
            harness.nowMs += 3_000;
            harness.drain(sink);
            assertThat(sink.status().problem()).isNull();
            assertThat(harness.row("SELECT count(*) FROM scored_events")).isEqualTo(List.of(2L));
        }
    }

    @Test
    void shouldKeepLateEventsOnceWhereTheyCarryTheirPosition() {
        try (SinkHarness harness = new SinkHarness(HistoryTable.LATE_EVENTS, dataDir)) {
            EventEnvelope event = new EventEnvelope(
                    "e1", "/bank", "transaction", TestRecords.NOON_US, "account-1", false, utf8("{\"amount\":5}"));
            Map<String, byte[]> headers = new HashMap<>(event.headers());
            headers.put(DeadLetter.POSITION_HEADER, utf8("log:0:17"));
            harness.topic.append(0, event.data(), headers);
            harness.topic.append(0, event.data(), headers);
            harness.topic.append(0, event.data(), event.headers());
            TableSink sink = harness.newSink();

            harness.drain(sink);

            assertThat(harness.query("SELECT event_id, account, source_offset, data FROM late_events ORDER BY 3")
                            .rows())
                    .hasSize(2)
                    .contains(List.of("e1", "account-1", 17L, "{\"amount\":5}"));
            assertThat(sink.counts().repeats()).isEqualTo(1);
        }
    }

    /** Several results of one log record, cut off in the midst by a crash of the engine and one of the sink. */
    @Test
    void shouldKeepEachResultOfAWindowOnce() {
        try (SinkHarness harness = new SinkHarness(HistoryTable.SUMMARIES, dataDir)) {
            List<Summary> undisturbed = List.of(
                    TestRecords.summary(5, 0, 0),
                    TestRecords.summary(5, 1, 0),
                    TestRecords.summary(5, 2, 0),
                    TestRecords.summary(9, 0, 9));
            for (int cut = 1; cut <= undisturbed.size(); cut++) {
                undisturbed.subList(0, cut).forEach(summary -> harness.topic.append(0, summary));
                step(harness.newSink(), cut);
                harness.drain(harness.newSink());
            }
            assertThat(harness.query("SELECT source_offset, revision, account, summary, epoch_us(event_time),"
                                    + " epoch_us(window_end), result FROM summaries ORDER BY 1, 3")
                            .rows())
                    .extracting(Object::toString)
                    .containsExactly(row(5, 0, 0), row(5, 0, 1), row(5, 0, 2), row(9, 9, 0));
        }
    }

    private static String row(long offset, long revision, long index) {
        return List.of(
                        offset,
                        revision,
                        "account-" + index,
                        "daily",
                        TestRecords.NOON_US,
                        TestRecords.NOON_US + TestRecords.DAY_US,
                        "{\"total\":12.50}")
                .toString();
    }

    private static void step(TableSink sink, int times) {
        for (int i = 0; i < times; i++) {
            sink.doWork();
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
