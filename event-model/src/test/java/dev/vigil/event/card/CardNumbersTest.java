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
                "9792020000000001",
                "4111  1111  1111  1111",
                "4111 - 1111 - 1111 - 1111",
                "4111.1111.1111.1111",
                "4111/1111/1111/1111",
                "4111_1111_1111_1111",
                "4111\t1111\t1111\t1111",
                "4111\\1111\\1111\\1111",
                "4111\u00b71111\u00b71111\u00b71111",
                "4111\u20021111\u30001111\u205f1111",
                "4111\u200b1111\u200b1111\u200b1111",
                "4\u200d1\u20601\ufeff1\u00ad111111111111",
                "41111111.11111111",
                "\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661",
                "\uff14\uff11\uff11\uff11 \uff11\uff11\uff11\uff11 \uff11\uff11\uff11\uff11 \uff11\uff11\uff11\uff11",
                "\ud835\udfd2\ud835\udfcf\ud835\udfcf\ud835\udfcf111111111111",
                "0004111111111111111",
                "0000000000004111111111111111",
                "000 4111 1111 1111 1111",
                "4111111111111111000",
                "41111111111111111230",
                "41111111111111113012",
                "4111111111111111122030",
                "41111111111111111230123",
                "4111-1111-1111-11111230",
                "3782822463100051230",
                "41111111111111115105105105105100",
                "4111111111111111.00",
                "12.50 4111111111111111 52.5",
                "DE89 3704 0044 0532 0130 01 4111 1111 1111 1111"
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
                "4111, 1111, 1111, 1111",
                "4111;1111;1111;1111",
                "4111    1111    1111    1111",
                "52.4111111111111111",
                "-0.4111111111111111",
                "4006381333931",
                "20261130065524",
                "20261130_065524",
                "2026/11/30 06:55:24.123456",
                "12345678901234567890123454111111111111111",
                "DE89 3704 0044 0532 0130 00",
                "GB29NWBK60161331926819",
                "GB29 NWBK 6016 1331 9268 19",
                "415 555 0123 415",
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
                "acc-1042 1704067200000|acc-1042 1704067200000",
                "0004111111111111111|000411111******1111",
                "41111111111111111230|411111******11111230",
                "4111.1111.1111.1111|4111.11**.****.1111",
                "41111111111111115105105105105100|411111******1111510510******5100"
            })
    void shouldHideAllButTheFirstSixAndTheLastFourDigits(String text, String masked) {
        assertThat(CardNumbers.masked(text)).isEqualTo(masked);
        assertThat(CardNumbers.isIn(CardNumbers.masked(text))).isFalse();
    }

    /** Also in what is no JSON any more, such as a body that was cut off. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"a\":\"4111111111111111\"|{\"a\":\"411111******1111\"",
                "{\"a\":\"\\u0034111111111111111\"|{\"a\":\"\\u003411111******1111\"",
                "{\"a\":\"411111\\u00311\\u00311111111\"|{\"a\":\"411111****************1111\"",
                "{\"a\":\"4111\\/1111\\/1111\\/1111\"|{\"a\":\"4111\\/11**\\/****\\/1111\"",
                "{\"a\":\"4111\\t1111\\t1111\\t1111\"|{\"a\":\"4111\\t11**\\t****\\t1111\"",
                "{\"a\":\"\\u00zz \\|{\"a\":\"\\u00zz \\"
            })
    void shouldHideDigitsThatAreWrittenAsEscapes(String json, String masked) {
        assertThat(CardNumbers.maskedJson(json)).isEqualTo(masked).hasSameSizeAs(json);
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
