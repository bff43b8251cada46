package dev.vigil.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SourcePositionTest {
    @Test
    void shouldReadWhatItWrites() {
        SourcePosition position = new SourcePosition("a:b", 3, Long.MAX_VALUE);
        assertThat(position).hasToString("a:b:3:9223372036854775807");
        assertThat(SourcePosition.parse(position.toString())).isEqualTo(position);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "a", "a:1", ":1:2", "a:x:2", "a:1:x", "a:-1:2", "a:1:-2", "a:1:", "a::2", "a:3000000000:1"})
    void shouldRefuseOtherTexts(String text) {
        assertThatThrownBy(() -> SourcePosition.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
