package dev.vigil.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.service.status.LatencyStatus;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {
    private long nowMs = 1_000_000;
    private final LatencyRecorder recorder = new LatencyRecorder(() -> nowMs);

    @Test
    void shouldGiveZeroesForNothing() {
        assertThat(recorder.total()).isEqualTo(LatencyStatus.NONE);
        assertThat(recorder.recent()).isEqualTo(LatencyStatus.NONE);
    }

    @Test
    void shouldGivePercentiles() {
        for (int i = 1; i <= 100; i++) {
            recorder.record(i);
        }
        assertThat(recorder.total()).isEqualTo(new LatencyStatus(100, 50, 99, 100, 100));
        assertThat(recorder.recent()).isEqualTo(recorder.total());
    }

    @Test
    void shouldBoundWhatClocksThatDisagreeGive() {
        recorder.record(-5);
        recorder.record(Long.MAX_VALUE);
        assertThat(recorder.total().count()).isEqualTo(2);
        assertThat(recorder.total().p50Ms()).isZero();
        assertThat(recorder.total().maxMs()).isBetween(3_600_000L, 3_636_000L);
    }

    @Test
    void shouldForgetInRecentWhatIsOverAMinuteOldAndKeepItInTotal() {
        for (int second = 0; second < 120; second++) {
            recorder.record(second < 60 ? 500 : 5);
            recorder.recent();
            nowMs += 1_000;
        }
        assertThat(recorder.recent().maxMs()).isEqualTo(5);
        assertThat(recorder.recent().count()).isBetween(50L, 60L);
        assertThat(recorder.total().count()).isEqualTo(120);
        assertThat(recorder.total().maxMs()).isBetween(500L, 505L);
    }

    @Test
    void shouldForgetAsWellWhenReadSeldom() {
        recorder.record(500);
        recorder.recent();
        for (int i = 0; i < 4; i++) {
            nowMs += 25_000;
            recorder.record(5);
            recorder.recent();
        }
        assertThat(recorder.recent().maxMs()).isEqualTo(5);
        assertThat(recorder.recent().count()).isEqualTo(3);
        nowMs += 600_000;
        assertThat(recorder.recent()).isEqualTo(LatencyStatus.NONE);
    }
}
