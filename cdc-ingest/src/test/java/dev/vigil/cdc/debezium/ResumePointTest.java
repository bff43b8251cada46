package dev.vigil.cdc.debezium;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.postgres.SourceFacts;
import io.debezium.engine.RecordChangeEvent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

final class ResumePointTest {

    private static final SourceRecords RECORDS = new RowChanges(SourceFacts.of(Map.of(), Set.of(), ""));

    @Test
    void shouldStandBehindTheLastRecordThatNothingSharesItsPlaceWith() {
        ResumePoint point = new ResumePoint(RECORDS, CapturePosition.NONE);
        read(point, 10, 20, 20, 20);

        assertThat(point.position().offsets().values())
                .singleElement()
                .asString()
                .contains("\"lsn\":10");
        assertThat(point.position().openLsn()).isEqualTo(20);
        assertThat(point.position().openCount()).isEqualTo(3);
        assertThat(point.takeSettled()).isNotNull();
        assertThat(point.takeSettled()).isNull();
    }

    @Test
    void shouldPassOverTheChangesAtTheOpenPlaceThatWereReadBefore() {
        ResumePoint first = new ResumePoint(RECORDS, CapturePosition.NONE);
        read(first, 10, 20, 20, 20);
        ResumePoint second = new ResumePoint(RECORDS, first.position());

        assertThat(read(second, 20, 20, 20, 20, 20, 30)).containsExactly(false, false, false, true, true, true);
        assertThat(second.position().offsets().values())
                .singleElement()
                .asString()
                .contains("\"lsn\":20");
        assertThat(second.position().openCount()).isEqualTo(1);
    }

    @Test
    void shouldStillPassThemOverAfterAStopInTheMiddleOfThem() {
        ResumePoint first = new ResumePoint(RECORDS, CapturePosition.NONE);
        read(first, 10, 20, 20, 20);
        ResumePoint second = new ResumePoint(RECORDS, first.position());
        read(second, 20);

        assertThat(second.position()).isEqualTo(first.position());
    }

    @Test
    void shouldPassNothingOverAtAnotherPlace() {
        ResumePoint first = new ResumePoint(RECORDS, CapturePosition.NONE);
        read(first, 10, 20, 20);
        ResumePoint second = new ResumePoint(RECORDS, first.position());

        assertThat(read(second, 30, 20, 20)).containsExactly(true, true, true);
    }

    @Test
    void shouldNotCountHeartbeats() {
        ResumePoint point = new ResumePoint(RECORDS, CapturePosition.NONE);
        read(point, 10, 20);
        point.enter(event(20, Map.of()), false);

        assertThat(point.position().openCount()).isEqualTo(1);
    }

    /** Where the engine's position says all, heartbeats from one place move it on. */
    @Test
    void shouldStandBehindAHeartbeatWhereThePositionIsExact() {
        ResumePoint point = new ResumePoint(new MySqlRecords(), CapturePosition.NONE);
        SourceRecord heartbeat = new SourceRecord(
                Map.of("server", "vigil"),
                Map.of("file", "binlog.000007", "pos", 4L, "gtids", "a:1-5"),
                "__debezium-heartbeat.vigil",
                Schema.STRING_SCHEMA,
                null);

        point.enter(() -> heartbeat, false);

        assertThat(point.position().offsets().values())
                .singleElement()
                .asString()
                .contains("a:1-5");
        assertThat(point.position().openCount()).isZero();
        assertThat(MySqlRecords.position(point.position().offsets()))
                .hasValueSatisfying(place -> assertThat(place).hasToString("binlog.000007:4"));
        assertThat(MySqlRecords.gtids(point.position().offsets())).isEqualTo("a:1-5");
    }

    @Test
    void shouldBeginAnewInsideASnapshotAndGoOnAfterItsLastRow() {
        ResumePoint point = new ResumePoint(RECORDS, CapturePosition.NONE);
        point.enter(event(10, Map.of("snapshot", "initial", "last_snapshot_record", false)), true);
        assertThat(point.position()).isEqualTo(CapturePosition.NONE);

        point.enter(event(10, Map.of("snapshot", "initial", "last_snapshot_record", true)), true);
        assertThat(EnginePosition.confirmedLsn(point.position().offsets())).hasValue(10);
    }

    @Test
    void shouldConfirmNoMoreThanTheLastCommit() {
        ResumePoint point = new ResumePoint(RECORDS, CapturePosition.NONE);
        point.enter(event(150, Map.of("lsn_commit", 210L, "lsn_proc", 150L)), true);
        point.enter(event(160, Map.of()), true);

        assertThat(EnginePosition.confirmedLsn(point.position().offsets())).hasValue(210);
    }

    private static List<Boolean> read(ResumePoint point, long... lsns) {
        return java.util.Arrays.stream(lsns)
                .mapToObj(lsn -> point.enter(event(lsn, Map.of()), true))
                .toList();
    }

    private static RecordChangeEvent<SourceRecord> event(long lsn, Map<String, Object> more) {
        Map<String, Object> offset = new HashMap<>(more);
        offset.put("lsn", lsn);
        SourceRecord record =
                new SourceRecord(Map.of("server", "vigil"), offset, "topic", Schema.STRING_SCHEMA, "value");
        return () -> record;
    }
}
