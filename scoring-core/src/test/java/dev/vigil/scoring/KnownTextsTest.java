package dev.vigil.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class KnownTextsTest {
    private final KnownTexts texts = new KnownTexts();

    private String of(String text) {
        char[] characters = ("<" + text + ">").toCharArray();
        return texts.of(characters, 1, text.length());
    }

    @Test
    void shouldGiveTheSameObjectForATextThatComesAgain() {
        assertThat(of("M-17")).isEqualTo("M-17").isSameAs(of("M-17"));
    }

    @Test
    void shouldGiveEveryTextAsItIsWhateverElseItHasKnown() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            String text = Integer.toString(random.nextInt(40_000), 36) + (i % 7 == 0 ? "Aa" : "BB") + "é\uD83D\uDE00";
            assertThat(of(text)).as("seed %d", seed).isEqualTo(text);
        }
        String isLong = "x".repeat(1_000);
        assertThat(of(isLong)).isEqualTo(isLong);
    }

    @Test
    void shouldReplaceHalfSurrogatePairsEachTime() {
        assertThat(of("a\uD83D")).isEqualTo("a\uFFFD");
        assertThat(of("a\uD83D")).isEqualTo("a\uFFFD");
    }
}
