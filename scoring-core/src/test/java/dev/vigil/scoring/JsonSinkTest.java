package dev.vigil.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.vigil.event.FieldType;
import dev.vigil.event.Json;
import dev.vigil.event.MinorUnits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What the sink writes is what Jackson reads back, and where Jackson could have written it, the same bytes. */
class JsonSinkTest {
    private final JsonSink sink = new JsonSink();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);

    private String written() {
        return new String(sink.toBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void shouldWriteTextsThatComeBack() throws IOException {
        List<String> texts = List.of(
                "",
                "plain",
                "\"quoted\" \\ /",
                "\b\f\n\r\t\u0000\u001f\u007f",
                "\u00e9\u20ac\ud83d\ude00",
                "\u2028\u2029",
                "\ufffd\uffff",
                "\ud83d",
                "x\ude00y",
                "\ud83d\ud83d\ude00",
                "a".repeat(10_000));
        for (String text : texts) {
            sink.reset().text(text);
            assertThat(Json.mapper().readValue(sink.toBytes(), String.class)).isEqualTo(text);
        }
        for (int i = 0; i < 5_000; i++) {
            String text = randomText();
            sink.reset().text(text);
            assertThat(Json.mapper().readValue(sink.toBytes(), String.class))
                    .as("seed %d", seed)
                    .isEqualTo(text);
        }
    }

    private String randomText() {
        StringBuilder text = new StringBuilder();
        for (int n = random.nextInt(20); n > 0; n--) {
            switch (random.nextInt(4)) {
                case 0 -> text.append((char) random.nextInt(0x80));
                case 1 -> text.append((char) random.nextInt(0x10000));
                case 2 -> text.appendCodePoint(random.nextInt(0x110000));
                default -> text.append("\"\\/\n\u00e9".charAt(random.nextInt(5)));
            }
        }
        return text.toString();
    }

    @Test
    void shouldWritePlainTextsAsJacksonDoes() throws JsonProcessingException {
        for (int codePoint = 0x20; codePoint < 0x10000; codePoint++) {
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE) {
                String text = Character.toString(codePoint);
                sink.reset().text(text);
                assertThat(sink.toBytes()).isEqualTo(Json.mapper().writeValueAsBytes(text));
            }
        }
    }

    @Test
    void shouldWriteNumbersThatComeBack() {
        for (int i = 0; i < 20_000; i++) {
            long whole = random.nextLong() >> random.nextInt(64);
            sink.reset().number(whole);
            assertThat(written()).isEqualTo(Long.toString(whole));
            double real = Double.longBitsToDouble(random.nextLong());
            if (Double.isFinite(real)) {
                sink.reset().real(real);
                assertThat(Double.doubleToLongBits(Double.parseDouble(written())))
                        .as("seed %d, %s", seed, written())
                        .isEqualTo(Double.doubleToLongBits(real));
            }
        }
        for (long whole : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(new String(sink.reset().number(whole).toBytes(), StandardCharsets.UTF_8))
                    .isEqualTo(Long.toString(whole));
        }
    }

    /** Of two shortest forms the one that is nearer; Java before 19 gave longer or farther ones at times. */
    @Test
    void shouldWriteTheShortestDouble() {
        assertThat(new String(sink.reset().real(2.0E-3).toBytes(), StandardCharsets.UTF_8))
                .isEqualTo("0.002");
        assertThat(new String(sink.reset().real(2.2250738585072014E-308).toBytes(), StandardCharsets.UTF_8))
                .isEqualTo("2.2250738585072014E-308");
        assertThat(new String(sink.reset().real(2.0E23).toBytes(), StandardCharsets.UTF_8))
                .isEqualTo("2.0E23");
        assertThat(new String(sink.reset().real(4.9E-324).toBytes(), StandardCharsets.UTF_8))
                .isEqualTo("4.9E-324");
    }

    @Test
    void shouldWriteMoneyWithTheCurrencysDigits() {
        for (String code : List.of("EUR", "JPY", "KWD", "CLF")) {
            MinorUnits currency = MinorUnits.of(code);
            for (int i = 0; i < 3_000; i++) {
                long amount = i < 4
                        ? List.of(0L, -1L, Long.MIN_VALUE, Long.MAX_VALUE).get(i)
                        : random.nextLong() >> random.nextInt(64);
                sink.reset().value(FieldType.MONEY, amount, currency);
                assertThat(written()).isEqualTo(currency.toDecimal(amount).toPlainString());
            }
        }
    }

    @Test
    void shouldTakeBackTheLastCommaAlone() {
        sink.reset().raw('{').dropComma().raw('}');
        assertThat(written()).isEqualTo("{}");
        sink.reset().raw('[').bool(true).raw(',').dropComma().raw(']');
        assertThat(written()).isEqualTo("[true]");
    }
}
