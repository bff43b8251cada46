package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.launcher.RestWatch.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RestWatchTest {
    private final RestWatch watch = new RestWatch(Duration.ofSeconds(45), Duration.ofMinutes(10), 0);

    @Test
    void shouldBeAtRestWhenNothingMovesForSeveralLooksAndNothingIsLeft() {
        assertThat(watch.look("1", true, 0)).isEqualTo(Verdict.AT_WORK);
        for (int look = 1; look < 6; look++) {
            assertThat(watch.look("1", true, look * 250L)).isEqualTo(Verdict.AT_WORK);
        }
        assertThat(watch.look("1", true, 1_500)).isEqualTo(Verdict.AT_REST);
    }

    @Test
    void shouldLookAnewWhenSomethingMoves() {
        for (int look = 0; look < 6; look++) {
            watch.look("1", true, look * 250L);
        }
        assertThat(watch.look("2", true, 1_500)).isEqualTo(Verdict.AT_WORK);
        assertThat(watch.look("2", true, 1_750)).isEqualTo(Verdict.AT_WORK);
    }

    @Test
    void shouldWaitOnAsLongAsItGetsOn() {
        for (int second = 0; second < 500; second++) {
            assertThat(watch.look("at " + second / 40, false, second * 1_000L)).isEqualTo(Verdict.AT_WORK);
        }
    }

    @Test
    void shouldGiveUpWhereSomethingIsLeftAndNothingMoves() {
        watch.look("1", false, 100_000);
        assertThat(watch.look("1", false, 144_999)).isEqualTo(Verdict.AT_WORK);
        assertThat(watch.look("1", false, 145_000)).isEqualTo(Verdict.GIVEN_UP);
    }

    @Test
    void shouldGiveUpInTheEndThoughSomethingAlwaysMoves() {
        assertThat(watch.look("1", true, 599_999)).isEqualTo(Verdict.AT_WORK);
        assertThat(watch.look("2", true, 600_000)).isEqualTo(Verdict.GIVEN_UP);
    }
}
