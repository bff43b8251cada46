package dev.vigil.scoring.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KnownTextsTest {
    private final KnownTexts texts = new KnownTexts();

    private String ofCharacters(String text) {
        String found = texts.find(("<" + text + ">").toCharArray(), 1, text.length());
        return found == null ? texts.keep(text) : found;
    }

    private String ofBytes(String text) {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        String found = texts.find(bytes, 1, bytes.length - 2);
        return found == null ? texts.keep(text) : found;
    }

    @Test
    void shouldGiveTheSameObjectForATextThatComesAgain() {
        String text = Objects.requireNonNull(ofCharacters("M-17"));
        assertThat(ofCharacters(new String("M-17"))).isSameAs(text);
        assertThat(ofBytes(new String("M-17"))).isSameAs(text);
    }

    @Test
    void shouldGiveEveryTextAsItIsWhateverElseItHasKnown() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 100_000; i++) {
            String text = Integer.toString(random.nextInt(40_000), 36)
                    + (i % 7 == 0 ? "Aa" : "BB")
                    + (i % 5 == 0 ? "é\uD83D\uDE00" : "");
            assertThat(ofCharacters(text)).as("seed %d", seed).isEqualTo(text);
            assertThat(ofBytes(text)).as("seed %d", seed).isEqualTo(text);
        }
        String isLong = "x".repeat(1_000);
        assertThat(ofCharacters(isLong)).isEqualTo(isLong);
        assertThat(ofBytes(isLong)).isEqualTo(isLong);
    }
}
