package dev.vigil.dashboard.intake;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

// Numbers are the schemes' published test numbers.
final class CardNumbersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "4111111111111111",
                "4111 1111 1111 1111",
                "4111-1111-1111-1111",
                "4111\u00a01111\u00a01111\u00a01111",
                "4111 1111-11111111",
                "378282246310005",
                "3782 822463 10005",
                "5555555555554444",
                "2223003122003222",
                "6011111111111117",
                "30569309025904",
                "4222222222222",
                "6304000000000000000",
                "paid with 4111 1111 1111 1111, thanks",
                "ref 12 4111 1111 1111 1111",
                "4111 1111 1111 1111 12",
                "(4111111111111111)",
                "card:4111111111111111;exp:12/30"
            })
    void shouldFindCardNumbers(String text) {
        assertThat(CardNumbers.isIn(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "acc-1042",
                "4111111111111112",
                "411111111111",
                "41111111111111111111111",
                "1704067200000",
                "1704067200000000",
                "1800000000000000001",
                "550e8400-e29b-41d4-a716-446655440000",
                "a4111111111111111",
                "4111111111111111f",
                "4111  1111  1111  1111",
                "4111.1111.1111.1111",
                "+49 170 1234567",
                "2026-11-30 06:55:24",
                "0000000000000000"
            })
    void shouldLeaveOtherTextAlone(String text) {
        assertThat(CardNumbers.isIn(text)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4111111111111111|411111******1111",
                "paid with 4111 1111 1111 1111, thanks|paid with 4111 11** **** 1111, thanks",
                "{\"pan\":\"3782-822463-10005\",\"n\":5105105105105100}|{\"pan\":\"3782-82****-*0005\",\"n\":510510******5100}",
                "4111111111111111 5105105105105100|411111******1111 510510******5100",
                "acc-1042 1704067200000|acc-1042 1704067200000"
            })
    void shouldHideAllButTheFirstSixAndTheLastFourDigits(String text, String masked) {
        assertThat(CardNumbers.masked(text)).isEqualTo(masked);
        assertThat(CardNumbers.isIn(CardNumbers.masked(text))).isFalse();
    }
}
