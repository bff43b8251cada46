package dev.vigil.engine.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.Decision;
import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import dev.vigil.event.SourcePosition;
import dev.vigil.event.Summary;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** That the crash suite would notice. */
class OutputComparisonTest {
    private final OutputComparison comparison = new OutputComparison();

    private static Output output(String topic, int partition, byte[] value, Header... headers) {
        return Output.of("test." + topic, partition, "a-1".getBytes(StandardCharsets.UTF_8), value, List.of(headers));
    }

    private static SourcePosition position(int partition, long offset) {
        return new SourcePosition("topic", partition, offset);
    }

    private static Output scored(long offset, int score) {
        return scored(offset, 0, "event-" + offset, score);
    }

    private static Output scored(long offset, long revision, String eventId, int score) {
        ScoredEvent event = new ScoredEvent(
                eventId,
                "/test",
                "transaction",
                "a-1",
                0,
                0,
                false,
                revision,
                position(0, offset),
                "policy",
                1,
                score,
                Decision.APPROVE,
                Map.of(),
                Map.of(),
                List.of(),
                List.of());
        return output("scored", 0, Json.encode(event));
    }

    private static Output summary(long offset, long index, int value) {
        Summary summary = new Summary(
                "hourly", "a-1", 0, 1, 0, position(0, offset), index, "policy", 1, "EUR", Map.of("n", value));
        return output("summaries", 0, Json.encode(summary));
    }

    private static Output alert(int partition, long offset) {
        return output(
                "alerts", partition, Json.encode(Map.of("alert_id", "alert", "position", position(partition, offset))));
    }

    private static Output late(long offset) {
        byte[] position = position(0, offset).toString().getBytes(StandardCharsets.UTF_8);
        return output("late", 0, new byte[] {1}, new RecordHeader(DeadLetter.POSITION_HEADER, position));
    }

    /** An event at 3; one at 7 that comes late, raises an alert, corrects two scores and the results of two windows. */
    @BeforeEach
    void expectSeveralOutputsOfAPosition() {
        comparison.expect(scored(3, 10));
        comparison.expect(scored(7, 20));
        comparison.expect(scored(7, 5, "event-2", 30));
        comparison.expect(scored(7, 4, "event-3", 30));
        comparison.expect(alert(0, 7));
        comparison.expect(summary(7, 0, 2));
        comparison.expect(summary(7, 1, 2));
        comparison.expect(scored(8, 10));
    }

    private void findAllUpToTheLast() {
        comparison.found(scored(3, 10));
        comparison.found(scored(7, 20));
        comparison.found(scored(7, 5, "event-2", 30));
        comparison.found(scored(7, 4, "event-3", 30));
        comparison.found(alert(0, 7));
        comparison.found(summary(7, 0, 2));
        comparison.found(summary(7, 1, 2));
    }

    @Test
    void shouldKeepSeveralOutputsOfAPosition() {
        findAllUpToTheLast();
        comparison.found(scored(8, 10));
        assertThat(comparison.missingCount()).isZero();
        assertThat(comparison.firstMissing()).isNull();
        assertThat(comparison.keptCount()).isEqualTo(8);
        assertThat(comparison.keptCount("scored")).isEqualTo(5);
        assertThat(comparison.keptCount("summaries")).isEqualTo(2);
        assertThat(comparison.keptCount("alerts")).isEqualTo(1);
        assertThat(comparison.correctionCount()).isEqualTo(2);
        assertThat(comparison.repeatCount()).isZero();
    }

    @Test
    void shouldDropRepeatsThatAreEqual() {
        comparison.found(scored(3, 10));
        comparison.found(scored(7, 20));
        comparison.found(scored(7, 5, "event-2", 30));
        // A crash in the middle of the position: it comes again from its start.
        comparison.found(scored(7, 20));
        comparison.found(scored(7, 5, "event-2", 30));
        comparison.found(scored(7, 4, "event-3", 30));
        comparison.found(alert(0, 7));
        comparison.found(summary(7, 0, 2));
        comparison.found(summary(7, 0, 2));
        comparison.found(summary(7, 1, 2));
        comparison.found(alert(0, 7));
        comparison.found(scored(3, 10));
        comparison.found(scored(7, 4, "event-3", 30));
        comparison.found(scored(8, 10));
        assertThat(comparison.missingCount()).isZero();
        assertThat(comparison.keptCount()).isEqualTo(8);
        assertThat(comparison.repeatCount()).isEqualTo(6);
    }

    @Test
    void shouldReportARepeatThatDiffersWithItsPositionAndBothValues() {
        findAllUpToTheLast();
        assertThatThrownBy(() -> comparison.found(scored(7, 4, "event-3", 31)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("test.scored-0: a repeat that differs, at Source[offset=7, key=4#/test#event-3]")
                .hasMessageContaining("\"score\":30")
                .hasMessageContaining("\"score\":31");
        assertThatThrownBy(() -> comparison.found(summary(7, 1, 3)))
                .hasMessageContaining("a repeat that differs, at Source[offset=7, key=1]");
    }

    @Test
    void shouldReportWhatIsMissing() {
        comparison.found(scored(3, 10));
        comparison.found(scored(7, 20));
        assertThat(comparison.missingCount()).isEqualTo(6);
        assertThat(comparison.firstMissing()).isEqualTo(alert(0, 7));
        assertThatThrownBy(() -> comparison.found(scored(7, 4, "event-3", 30)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("test.scored-0: at Source[offset=7, key=4#/test#event-3]: expected")
                .hasMessageContaining("event-2");
        assertThatThrownBy(() -> comparison.found(summary(7, 1, 2))).isInstanceOf(AssertionError.class);
        assertThat(comparison.missingCount()).isEqualTo(6);
    }

    @Test
    void shouldReportAByteThatDiffers() {
        assertThatThrownBy(() -> comparison.found(scored(3, 11)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("\"score\":10")
                .hasMessageContaining("\"score\":11");
    }

    @Test
    void shouldReportAPositionThatComesTooLate() {
        findAllUpToTheLast();
        assertThatThrownBy(() -> comparison.found(scored(5, 10)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected null");
        comparison.found(scored(8, 10));
        assertThatThrownBy(() -> comparison.found(scored(7, 3, "event-4", 30)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("expected null");
    }

    @Test
    void shouldReportWhatNobodyExpects() {
        findAllUpToTheLast();
        assertThatThrownBy(() -> comparison.found(late(9))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> comparison.found(alert(1, 7))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> comparison.found(summary(7, 2, 2))).isInstanceOf(AssertionError.class);
        assertThatThrownBy(() -> comparison.found(scored(7, 3, "event-4", 30))).isInstanceOf(AssertionError.class);
    }

    @Test
    void shouldReportOutputsThatReadersCannotTellApart() {
        assertThatThrownBy(() -> comparison.expect(scored(8, 0, "event-9", 10)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a reader would take for a repeat");
        assertThatThrownBy(() -> comparison.expect(scored(4, 10))).isInstanceOf(AssertionError.class);
    }
}
