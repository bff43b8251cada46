package dev.vigil.lakehouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.event.SourcePosition;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PositionTrackerTest {
    private final PositionTracker tracker = new PositionTracker(Positions.NONE.onTopic("topic"));

    @Test
    void shouldDropWhatTheLogPositionShowsToBeARepeat() {
        assertThat(pass(tracker, 0, TestRecords.at(0, 5), "")).isTrue();
        assertThat(pass(tracker, 1, TestRecords.at(0, 6), "")).isTrue();
        assertThat(pass(tracker, 2, TestRecords.at(0, 5), "")).isFalse();
        assertThat(pass(tracker, 3, TestRecords.at(0, 6), "")).isFalse();
        assertThat(pass(tracker, 4, TestRecords.at(0, 7), "")).isTrue();
    }

    @Test
    void shouldKeepPartitionsAndTopicsApart() {
        assertThat(pass(tracker, 0, TestRecords.at(0, 5), "")).isTrue();
        assertThat(pass(tracker, 1, TestRecords.at(1, 5), "")).isTrue();
        assertThat(pass(tracker, 2, new SourcePosition("another log", 0, 5), ""))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void shouldPassEveryCorrectionOfOneLogRecordOnceThoughARestartComesBetween(int before) {
        String[] keys = {"", "1#/bank#a", "1#/bank#b"};
        for (int i = 0; i < before; i++) {
            assertThat(pass(tracker, i, TestRecords.at(0, 9), keys[i])).isTrue();
        }
        PositionTracker restarted =
                new PositionTracker(Positions.decode(tracker.positions(1, 1, 1).encode()));
        for (int i = 0; i < keys.length; i++) {
            assertThat(pass(restarted, 10 + i, TestRecords.at(0, 9), keys[i])).isEqualTo(i >= before);
        }
    }

    @Test
    void shouldResumeAfterTheLastRecordOfEachPartition() {
        pass(tracker, 7, TestRecords.at(0, 5), "");

        assertThat(tracker.positions(1, 1, 1).next()).isEqualTo(Map.of(0, 8L));
    }

    private static boolean pass(PositionTracker tracker, long offset, SourcePosition source, String key) {
        return tracker.pass(new RawRecord(0, offset, 0, null, null, Map.of()), source, key);
    }
}
