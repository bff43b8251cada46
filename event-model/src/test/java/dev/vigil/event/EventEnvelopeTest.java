package dev.vigil.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EventEnvelopeTest {
    private static Map<String, String> texts(Map<String, byte[]> headers) {
        Map<String, String> texts = new LinkedHashMap<>();
        headers.forEach((name, value) -> texts.put(name, new String(value, StandardCharsets.UTF_8)));
        return texts;
    }

    @Test
    void shouldBeACloudEventInBinaryMode() {
        EventEnvelope event =
                new EventEnvelope("1", "/bank", "transaction", 1_250_000, "acc \u00e9", true, new byte[0]);
        assertThat(texts(event.headers()).toString())
                .isEqualTo("{ce_specversion=1.0, ce_id=1, ce_source=/bank, ce_type=transaction,"
                        + " ce_time=1970-01-01T00:00:01.250Z, ce_subject=acc \u00e9, ce_vigilbackfill=true,"
                        + " content-type=application/json}");
    }

    @Test
    void shouldLeaveOutWhatIsNotThere() {
        EventEnvelope tick = new EventEnvelope("1", "/vigil", EventTypes.TICK, 0, "", false, new byte[0]);
        assertThat(tick.headers()).doesNotContainKeys(EventEnvelope.SUBJECT_HEADER, EventEnvelope.BACKFILL_HEADER);
    }

    @Test
    void shouldRefuseToBeWithoutAnIdentity() {
        for (List<String> identity : List.of(List.of("", "s", "t"), List.of("i", "", "t"), List.of("i", "s", ""))) {
            assertThatThrownBy(() -> new EventEnvelope(
                            identity.get(0), identity.get(1), identity.get(2), 0, "a", false, new byte[0]))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldTellWhyARecordWasRefused() {
        DeadLetter deadLetter = new DeadLetter(
                DeadLetter.Reason.BAD_AMOUNT, "scoring-engine", "amount: expected", new SourcePosition("t", 0, 7));
        assertThat(texts(deadLetter.headers()).toString())
                .isEqualTo("{vigil-reason=bad_amount, vigil-stage=scoring-engine, vigil-detail=amount: expected,"
                        + " vigil-position=t:0:7}");
        assertThat(new DeadLetter(DeadLetter.Reason.TOO_LARGE, "intake", "d", null).headers())
                .doesNotContainKey(DeadLetter.POSITION_HEADER);
    }

    @Test
    void shouldNameTopicsUnderOnePrefix() {
        assertThat(new TopicNames("bank.vigil").all())
                .containsExactly(
                        "bank.vigil.events",
                        "bank.vigil.intake",
                        "bank.vigil.scored",
                        "bank.vigil.alerts",
                        "bank.vigil.late",
                        "bank.vigil.dead-letters",
                        "bank.vigil.dead-letter-retries",
                        "bank.vigil.deliveries",
                        "bank.vigil.summaries",
                        "bank.vigil.policies",
                        "bank.vigil.case-actions",
                        "bank.vigil.endpoints");
        for (String prefix : List.of("", ".a", "a.", "a b", "a/b")) {
            assertThatThrownBy(() -> new TopicNames(prefix)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
