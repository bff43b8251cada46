package dev.vigil.alerting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RetryConfigTest {
    private final RandomGenerator random = new SplittableRandom(42);

    @ParameterizedTest
    @CsvSource({"1, 1000", "2, 2000", "3, 4000", "14, 8192000", "15, 14400000", "31, 14400000", "2000000000, 14400000"})
    void shouldDoubleUpToTheMaximumWithJitterOfHalf(int attemptsMade, long baseMs) {
        for (int i = 0; i < 1_000; i++) {
            assertThat(RetryConfig.defaults().delayMs(attemptsMade, random)).isBetween(baseMs / 2, baseMs * 3 / 2);
        }
    }

    @Test
    void shouldSpreadRetries() {
        assertThat(IntStream.range(0, 1_000)
                        .mapToLong(i -> RetryConfig.defaults().delayMs(10, random))
                        .distinct()
                        .count())
                .isGreaterThan(900);
    }

    @Test
    void shouldRefuseAMaximumBelowTheFirst() {
        assertThatThrownBy(() -> new RetryConfig(Duration.ofSeconds(2), Duration.ofSeconds(1), Duration.ofDays(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT2S");
    }
}
