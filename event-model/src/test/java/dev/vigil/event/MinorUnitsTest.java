package dev.vigil.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MinorUnitsTest {
    private static final MinorUnits EUR = MinorUnits.of("EUR");

    @ParameterizedTest
    @CsvSource({
        "EUR, 57.16, 5716",
        "EUR, 57.1, 5710",
        "EUR, 57, 5700",
        "EUR, -0.5, -50",
        "EUR, 1e2, 10000",
        "EUR, 1.500, 150",
        "EUR, 0, 0",
        "EUR, -0, 0",
        "EUR, -0.00, 0",
        "EUR, +3, 300",
        "EUR, .5, 50",
        "EUR, 5., 500",
        "EUR, 1E-2, 1",
        "JPY, 5000, 5000",
        "JPY, 5000.00, 5000",
        "KWD, 1.234, 1234",
        "KWD, 1.2, 1200",
        "IDR, 50000000000, 5000000000000",
        "EUR, 92233720368547758.07, 9223372036854775807",
        "EUR, -92233720368547758.08, -9223372036854775808",
        "JPY, 9223372036854775807, 9223372036854775807",
        "EUR, 9999999999999999, 999999999999999900"
    })
    void shouldReadAmounts(String currency, String text, long minorUnits) {
        assertThat(MinorUnits.of(currency).parse(text)).isEqualTo(minorUnits);
    }

    @ParameterizedTest
    @CsvSource({
        "EUR, 0.001", "JPY, 0.5", "KWD, 1.2345", "EUR, 92233720368547758.08", "EUR, 99999999999999999",
                "KWD, 9999999999999999",
        "KWD, 99999999999999999", "JPY, 9223372036854775808", "EUR, 1e400", "EUR, 1e-400", "EUR, 0e99999", "EUR, 1e17"
    })
    void shouldRefuseAmountsThatDoNotFit(String currency, String text) {
        assertThatThrownBy(() -> MinorUnits.of(currency).parse(text)).isInstanceOf(ArithmeticException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "NaN",
                "Infinity",
                "1,5",
                " 1",
                "1 ",
                "0x10",
                "1e",
                "--1",
                "1.2.3",
                "1e99999999999",
                "abc",
                "\u0661"
            })
    void shouldRefuseWhatIsNoNumber(String text) {
        if (text.equals("\u0661")) {
            assertThat(EUR.parse(text))
                    .as("BigDecimal reads digits of every script")
                    .isEqualTo(100);
        } else {
            assertThatThrownBy(() -> EUR.parse(text)).isInstanceOf(NumberFormatException.class);
        }
    }

    @Test
    void shouldRefuseEndlessAmounts() {
        assertThatThrownBy(() -> EUR.parse("1".repeat(65)))
                .isInstanceOf(NumberFormatException.class)
                .hasMessage("an amount of 65 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"XXX", "XAU", "XTS"})
    void shouldRefuseCurrenciesWithoutMinorUnits(String code) {
        assertThatThrownBy(() -> MinorUnits.of(code))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("currency " + code + " has no minor unit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ZZZ", "jpy", "", "EURO"})
    void shouldRefuseCodesThatAreNone(String code) {
        assertThatThrownBy(() -> MinorUnits.of(code))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected an ISO 4217 currency code such as EUR, found " + code);
    }

    /** The quick way for plain amounts against BigDecimal for all. */
    @Test
    void shouldAgreeWithBigDecimal() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            MinorUnits currency =
                    MinorUnits.of(List.of("EUR", "JPY", "KWD", "CLF").get(random.nextInt(4)));
            String text = (random.nextBoolean() ? "-" : "")
                    + digits(random, 19)
                    + (random.nextBoolean() ? "." + digits(random, 5) : "");
            assertThat(outcome(currency, text))
                    .as("seed %d, %s %s", seed, currency.currency(), text)
                    .isEqualTo(exact(currency, text));
        }
    }

    private static String digits(Random random, int most) {
        StringBuilder digits = new StringBuilder();
        for (int n = random.nextInt(most + 1); n > 0; n--) {
            digits.append(random.nextInt(10));
        }
        return digits.toString();
    }

    private static String outcome(MinorUnits currency, String text) {
        try {
            return Long.toString(currency.parse(text));
        } catch (NumberFormatException e) {
            return "no number";
        } catch (ArithmeticException e) {
            return "does not fit";
        }
    }

    private static String exact(MinorUnits currency, String text) {
        try {
            return Long.toString(new BigDecimal(text)
                    .setScale(currency.digits(), RoundingMode.UNNECESSARY)
                    .unscaledValue()
                    .longValueExact());
        } catch (NumberFormatException e) {
            return "no number";
        } catch (ArithmeticException e) {
            return "does not fit";
        }
    }

    @Test
    void shouldGiveDecimalsAndDoubles() {
        assertThat(EUR.toDecimal(5_716)).isEqualTo(new BigDecimal("57.16"));
        assertThat(EUR.toDecimal(-5)).isEqualTo(new BigDecimal("-0.05"));
        assertThat(EUR.toDouble(5_716)).isEqualTo(57.16);
        assertThat(MinorUnits.of("JPY").toDouble(5)).isEqualTo(5.0);
        assertThat(MinorUnits.of("CLF").powerOfTen()).isEqualTo(10_000.0);
    }
}
