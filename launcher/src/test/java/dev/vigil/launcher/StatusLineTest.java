package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StatusLineTest {
    private static final long NOW_MS = 1_800_000_000_000L;

    @Test
    void shouldSayWhenTheFirstCommitIsDueRatherThanThatThereIsNothing() {
        assertThat(line(NOW_MS + 7_001, null)).endsWith("; first commit to Iceberg due in 8 s");
        assertThat(line(NOW_MS + 1, null)).endsWith("; first commit to Iceberg due in 1 s");
        assertThat(line(NOW_MS, null)).endsWith("; first commit to Iceberg under way");
        assertThat(line(null, null)).endsWith("; nothing for Iceberg yet");
    }

    @Test
    void shouldTellTheRowsOnceThereAreSome() {
        assertThat(line(NOW_MS + 7_000, NOW_MS - 3_000))
                .isEqualTo(
                        "  -- 100 scored, 0 late, 0 duplicate; 12 alerts, 5 suppressed; decision p50 12 ms p99 80 ms;"
                                + " 112 rows in Iceberg");
    }

    private static String line(Long commitDueAtMs, Long lastCommitAtMs) {
        return StatusLine.of(
                DemoFigures.engine(12),
                DemoFigures.alerting(12, 5, 0, 7, 0, 0),
                DemoFigures.lakehouse(12, commitDueAtMs, lastCommitAtMs),
                NOW_MS);
    }
}
