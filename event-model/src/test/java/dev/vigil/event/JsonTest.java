package dev.vigil.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every record that travels as JSON comes back as it was. */
class JsonTest {
    private static final SourcePosition POSITION = new SourcePosition("topic-1", 2, 42);
    private static final Map<String, Object> VALUES = values();
    private static final RuleHit HIT = new RuleHit("velocity", 35, "many \"payments\"\n\u00e9\ud83d\ude00", VALUES);

    private static Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("amount", new BigDecimal("57.10"));
        values.put("count", 7);
        values.put("large", 9_007_199_254_740_993L);
        values.put("ok", true);
        values.put("merchant", "\u0000<b>\u2028");
        return values;
    }

    private static <T> void assertRoundTrip(T value, Class<T> type) {
        assertThat(Json.decode(Json.encode(value), type)).isEqualTo(value);
    }

    private static String text(Object value) {
        return new String(Json.encode(value), StandardCharsets.UTF_8);
    }

    @Test
    void shouldCarryScoredEvents() {
        ScoredEvent event = new ScoredEvent(
                "e1",
                "/s",
                "tx",
                "acc",
                -5,
                6,
                true,
                1,
                POSITION,
                "p",
                3,
                85,
                Decision.DECLINE,
                VALUES,
                VALUES,
                List.of(HIT),
                List.of());
        assertRoundTrip(event, ScoredEvent.class);
        assertThat(text(event))
                .startsWith(
                        "{\"event_id\":\"e1\",\"source\":\"/s\",\"type\":\"tx\",\"account\":\"acc\",\"event_time_us\":-5,")
                .contains("\"position\":{\"topic_id\":\"topic-1\",\"partition\":2,\"offset\":42}")
                .contains("\"decision\":\"decline\"")
                .contains("\"amount\":57.10");
        assertThat(Json.decode(Json.encode(event), ScoredEvent.class).fields().keySet())
                .containsExactlyElementsOf(VALUES.keySet());
    }

    @Test
    void shouldCarryAlerts() {
        assertRoundTrip(
                new Alert(
                        "alr_1",
                        "e1",
                        "/s",
                        "tx",
                        "acc",
                        5,
                        6,
                        POSITION,
                        "p",
                        3,
                        "EUR",
                        85,
                        Decision.REVIEW,
                        "acc",
                        900_000,
                        VALUES,
                        List.of(HIT)),
                Alert.class);
    }

    @Test
    void shouldCarryDeliveriesWithAndWithoutAnAnswer() {
        Delivery delivered =
                new Delivery("alr_1", "acc", POSITION, 5, 6, "main", 2, Delivery.Outcome.DELIVERED, 204, null, 7, 8);
        assertRoundTrip(delivered, Delivery.class);
        assertThat(text(delivered)).contains("\"outcome\":\"delivered\"").doesNotContain("detail");
        assertRoundTrip(
                new Delivery("alr_1", "acc", POSITION, 5, 6, null, 0, Delivery.Outcome.SUPPRESSED, null, "alr_0", 7, 0),
                Delivery.class);
        assertRoundTrip(
                new Delivery("alr_1", "acc", POSITION, 5, 6, "main", 9, Delivery.Outcome.GIVEN_UP, 410, "gone", 7, 8),
                Delivery.class);
    }

    @Test
    void shouldCarrySchemas() {
        ScoredSchema schema = new ScoredSchema(
                "p", 3, "KWD", 3, POSITION, Map.of("amount", FieldType.MONEY), Map.of("seen", FieldType.TIMESTAMP));
        assertRoundTrip(schema, ScoredSchema.class);
        assertThat(text(schema))
                .isEqualTo("{\"policy\":\"p\",\"policy_version\":3,\"currency\":\"KWD\",\"currency_digits\":3,"
                        + "\"position\":{\"topic_id\":\"topic-1\",\"partition\":2,\"offset\":42},"
                        + "\"fields\":{\"amount\":\"money\"},\"features\":{\"seen\":\"timestamp\"}}");
    }

    @Test
    void shouldReadWhatANewerVersionWrote() {
        String newer = text(POSITION).replace("{", "{\"epoch\":[1],");
        assertThat(Json.decode(newer.getBytes(StandardCharsets.UTF_8), SourcePosition.class))
                .isEqualTo(POSITION);
    }

    @Test
    void shouldKeepOrderAndExactNumbersOfObjects() {
        Map<String, Object> object = Json.decodeObject(
                "{\"z\":0.1000,\"a\":1e2,\"m\":12345678901234567890}".getBytes(StandardCharsets.UTF_8));
        assertThat(object.keySet()).containsExactly("z", "a", "m");
        assertThat(object.get("z")).isEqualTo(new BigDecimal("0.1000"));
        assertThat(object.get("m")).hasToString("12345678901234567890");
    }

    @Test
    void shouldRefuseOtherBytes() {
        for (String text : List.of("", "{", "[1]", "{\"a\":1,\"a\":2}")) {
            assertThatThrownBy(() -> Json.decodeObject(text.getBytes(StandardCharsets.UTF_8)))
                    .isInstanceOf(UncheckedIOException.class);
        }
    }

    @Test
    void shouldKnowDecisionsAndTypesByLabel() {
        for (Decision decision : Decision.values()) {
            assertThat(Decision.parse(decision.label())).isEqualTo(decision);
        }
        for (FieldType type : FieldType.values()) {
            assertThat(FieldType.parse(type.label())).isEqualTo(type);
        }
        assertThatThrownBy(() -> Decision.parse("DECLINE"))
                .hasMessage("expected approve, review or decline, found DECLINE");
    }
}
