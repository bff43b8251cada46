package dev.vigil.event.card;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CardTokensTest {
    private static final CardKey OLD =
            new CardKey("k1", "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII));
    private static final CardKey NEW =
            new CardKey("k2", "fedcba9876543210fedcba9876543210".getBytes(StandardCharsets.US_ASCII));

    private final CardTokens tokens = new CardTokens(List.of(OLD));

    /**
     * {@code printf 4111111111111111 | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef}, of which the first 32
     * hexadecimal digits are written in the letters of {@code bcdfghjkmnpqrstv}.
     */
    @Test
    void shouldBeWhatAnyoneWithTheKeyCanMake() {
        assertThat(tokens.token("4111111111111111")).isEqualTo("card_k1_kqktjrqdkchrkqcrfkccbvbfhcdfpqsf");
    }

    @Test
    void shouldGiveOneNumberOneTokenHoweverItIsWritten() {
        assertThat(List.of(
                        tokens.token("4111 1111 1111 1111"),
                        tokens.token("4111-1111-1111-1111"),
                        tokens.token("4111.1111\u200b1111\uff11111")))
                .containsOnly(tokens.token("4111111111111111"));
        assertThat(tokens.token("4111111111111111")).isNotEqualTo(tokens.token("5105105105105100"));
    }

    @Test
    void shouldMakeTokensThatAreNoCardNumbersAndGoodInAUri() {
        Set<String> made = new HashSet<>();
        IntStream.range(0, 5_000).forEach(i -> made.add(tokens.token("41111111" + (10_000_000 + i))));
        assertThat(made).hasSize(5_000).allSatisfy(token -> {
            assertThat(token).matches("card_k1_[bcdfghjkmnpqrstv]{32}");
            assertThat(CardNumbers.isIn(token)).isFalse();
            assertThat(URI.create("/shop/" + token).getPath()).endsWith(token);
        });
    }

    @Test
    void shouldUseTheFirstKeyAndStillKnowTheTokensOfTheOthers() {
        CardTokens rotated = new CardTokens(List.of(NEW, OLD));
        String before = tokens.token("4111111111111111");
        String after = rotated.token("4111111111111111");
        assertThat(after).startsWith("card_k2_").isNotEqualTo(before);
        assertThat(rotated.tokens("4111 1111 1111 1111")).containsExactly(after, before);
    }

    private static CardNumberConfig read(String yaml) {
        return CardNumberConfig.from(ConfigDocument.parse("vigil.yaml", yaml));
    }

    private static String base64(int bytes) {
        return Base64.getEncoder().encodeToString(new byte[bytes]);
    }

    @Test
    void shouldReadKeys() {
        CardNumberConfig config = read(
                "{mode: tokenise, keys: [{id: k2, secret: " + base64(32) + "}, {id: k1, secret: " + base64(64) + "}]}");
        assertThat(config.mode()).isEqualTo(CardNumberConfig.Mode.TOKENISE);
        assertThat(config.keys()).extracting(CardKey::id).containsExactly("k2", "k1");
        assertThat(config.toString()).doesNotContain(base64(32)).doesNotContain("[0, 0");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{mode: mask}|mode: expected refuse or tokenise, found 'mask'",
                "{mode: tokenise}|mode tokenise needs keys: expected at least one, found none",
                "{keys: [{id: k1}]}|missing 'secret'",
                "{keys: [{id: K1, secret: SECRET}]}|id: expected a letter and at most 11 letters and digits, lower"
                        + " case, found 'K1'",
                "{keys: [{id: 1k, secret: SECRET}]}|id: expected a letter",
                "{keys: [{id: k1, secret: SECRET}, {id: k1, secret: SECRET}]}|keys[1].id: expected an id of its own"
                        + " for each key",
                "{keys: [{id: k1, secret: SHORT}]}|expected a secret of at least 32 bytes in base64, as 'openssl rand"
                        + " -base64 32'",
                "{keys: [{id: k1, secret: SHORT}]}|found 31 bytes",
                "{keys: [{id: k1, secret: 'not!base64!at!all!not!base64!at!all'}]}|in base64, as 'openssl rand -base64"
                        + " 32' makes one, found something else"
            })
    void shouldRefuseWhatCannotBeMeantWithoutRepeatingSecrets(String yaml, String expected) {
        String full = yaml.replace("SECRET", base64(32)).replace("SHORT", base64(31));
        assertThatThrownBy(() -> read(full))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(expected)
                .satisfies(
                        e -> assertThat(e.getMessage()).doesNotContain("AAAA").doesNotContain("not!base64"));
    }
}
