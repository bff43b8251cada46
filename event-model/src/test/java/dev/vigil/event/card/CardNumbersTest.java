package dev.vigil.event.card;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
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
                "card:4111111111111111;exp:12/30",
                "card4111111111111111x",
                "a4111111111111111",
                "4111111111111111f",
                "tx_4111111111111111_1",
                "A4111-1111-1111-1111B",
                "4111\u20131111\u20131111\u20131111",
                "4111\u202f1111\u202f1111\u202f1111",
                "550e8400-e29b-41d4-a716-446655440000 4111 1111 1111 1111",
                "2026-11-30 4111 1111 1111 1111",
                "4111 1111 1111 1111 123",
                "8171999927660000",
                "9792020000000001"
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
                "41111111-1111-1111-a111-111111111111",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-4111111111111111-01",
                "e3b0c44298fc1c149afbf4c8996fb924 4111111111111111a3ce929d0",
                "356938035643809",
                "2026-11-30-000118",
                "89490200001234567893",
                "4111  1111  1111  1111",
                "4111.1111.1111.1111",
                "+49 170 1234567",
                "2026-11-30 06:55:24",
                "0000000000000000"
            })
    void shouldLeaveOtherTextAlone(String text) {
        assertThat(CardNumbers.isIn(text)).isFalse();
        assertThat(CardNumbers.masked(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4111111111111111|411111******1111",
                "paid with 4111 1111 1111 1111, thanks|paid with 4111 11** **** 1111, thanks",
                "{\"pan\":\"3782-822463-10005\",\"n\":5105105105105100}|{\"pan\":\"3782-82****-*0005\",\"n\":510510******5100}",
                "4111111111111111 5105105105105100|411111******1111 510510******5100",
                "card4222222222222x|card*********2222x",
                "acc-1042 1704067200000|acc-1042 1704067200000"
            })
    void shouldHideAllButTheFirstSixAndTheLastFourDigits(String text, String masked) {
        assertThat(CardNumbers.masked(text)).isEqualTo(masked);
        assertThat(CardNumbers.isIn(CardNumbers.masked(text))).isFalse();
    }

    /** Of every kind that identifiers have; a number found by chance would refuse events of whoever uses them. */
    @Test
    void shouldFindNoneInIdentifiersMadeOfHexadecimalDigits() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        byte[] hash = new byte[32];
        for (int i = 0; i < 20_000; i++) {
            random.nextBytes(hash);
            String hex = HexFormat.of().formatHex(hash);
            assertThat(CardNumbers.isIn(new UUID(random.nextLong(), random.nextLong()).toString()))
                    .as("seed %d", seed)
                    .isFalse();
            assertThat(CardNumbers.isIn("sha256:" + hex))
                    .as("seed %d: %s", seed, hex)
                    .isFalse();
            assertThat(CardNumbers.isIn("00-" + hex.substring(0, 32) + "-" + hex.substring(32, 48) + "-01"))
                    .as("seed %d: %s", seed, hex)
                    .isFalse();
        }
    }

    @Test
    void shouldCostNoMoreThanTheTextIsLong() {
        for (String piece : new String[] {
            "12345678-1234-1234-1234-123456789012 ", "1234567890123a", "4 ", "4111 1111 1111 1112 ", "4", "a1", "1-"
        }) {
            String text = piece.repeat((2 << 20) / piece.length());
            assertTimeoutPreemptively(Duration.ofSeconds(60), () -> CardNumbers.isIn(text), piece);
        }
    }
}
