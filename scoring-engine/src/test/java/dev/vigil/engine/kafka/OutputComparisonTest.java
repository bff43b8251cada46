package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That the crash suite would notice. */
class OutputComparisonTest {
    private final OutputComparison comparison = new OutputComparison();

    private static Output output(String topic, int partition, long offset, String what) {
        String value = "{\"what\": \"" + what + "\", \"position\": {\"offset\": " + offset + "}}";
        return new Output("test." + topic, partition, "a-1", value, List.of());
    }

    private static Output scored(long offset) {
        return output("scored", 0, offset, "score " + offset);
    }

    @BeforeEach
    void expectThreeScoresAndAnAlert() {
        for (long offset : new long[] {3, 4, 7}) {
            comparison.expect(scored(offset));
        }
        comparison.expect(output("alerts", 0, 4, "alert"));
    }

    @Test
    void shouldTakeWhatIsDueWithRepeats() {
        comparison.found(scored(3));
        comparison.found(scored(4));
        comparison.found(scored(3));
        comparison.found(scored(4));
        comparison.found(output("alerts", 0, 4, "alert"));
        comparison.found(scored(7));
        assertThat(comparison.missingCount()).isZero();
        assertThat(comparison.keptCount()).isEqualTo(4);
        assertThat(comparison.repeatCount()).isEqualTo(2);
        assertThat(comparison.alertCount()).isEqualTo(1);
    }

    @Test
    void shouldNoticeThatSomethingIsMissing() {
        comparison.found(scored(3));
        assertThat(comparison.missingCount()).isEqualTo(3);
        assertThatThrownBy(() -> comparison.found(scored(7))).isInstanceOf(AssertionError.class);
    }

    @Test
    void shouldNoticeAByteThatDiffers() {
        assertThatThrownBy(() -> comparison.found(output("scored", 0, 3, "Score 3")))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void shouldNoticeARepeatThatDiffers() {
        comparison.found(scored(3));
        comparison.found(scored(4));
        assertThatThrownBy(() -> comparison.found(output("scored", 0, 3, "Score 3")))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a repeat that differs");
    }

    @Test
    void shouldNoticeAPositionThatComesTooLate() {
        comparison.found(scored(3));
        comparison.found(scored(4));
        comparison.found(scored(7));
        assertThatThrownBy(() -> comparison.found(scored(5))).isInstanceOf(AssertionError.class);
    }

    @Test
    void shouldNoticeWhatNobodyExpects() {
        assertThatThrownBy(() -> comparison.found(output("late", 0, 9, "late"))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> comparison.found(output("alerts", 1, 4, "alert")))
                .isInstanceOf(AssertionError.class);
    }
}
