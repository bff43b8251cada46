package dev.vigil.lakehouse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class PositionsTest {
    @Test
    void shouldBeEqualAfterEncodingAndDecoding() {
        SourceMark mark = new SourceMark(41, new TreeSet<>(List.of("", "1#/bank#event-7")));
        Positions positions = new Positions(
                1, "topic", new TreeMap<>(Map.of(0, 12L, 3, 40L)), new TreeMap<>(Map.of("log:0", mark)), 50, 2, 99);

        assertThat(Positions.decode(positions.encode())).isEqualTo(positions);
    }

    @Test
    void shouldBeginWithNothingWhereNoCommitWasMade() {
        assertThat(Positions.decode(null)).isEqualTo(Positions.NONE);
    }

    @Test
    void shouldKeepItsTextForm() {
        Positions positions = new Positions(
                1,
                "topic",
                new TreeMap<>(Map.of(0, 12L)),
                new TreeMap<>(Map.of("log:0", new SourceMark(41, new TreeSet<>(List.of(""))))),
                50,
                2,
                99);

        assertThat(positions.encode())
                .isEqualTo("{\"format\":1,\"topic_id\":\"topic\",\"next\":{\"0\":12},"
                        + "\"sources\":{\"log:0\":{\"offset\":41,\"keys\":[\"\"]}},"
                        + "\"rows\":50,\"commits\":2,\"committed_at_ms\":99}");
    }

    @Test
    void shouldRefuseANewerFormat() {
        assertThatThrownBy(() -> Positions.decode("{\"format\":2,\"topic_id\":\"t\",\"next\":{},\"sources\":{}}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected positions of format 1, found format 2");
    }
}
