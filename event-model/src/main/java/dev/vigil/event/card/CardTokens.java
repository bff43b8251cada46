package dev.vigil.event.card;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens that stand for card numbers: the same number gives the same token under one key, whatever its separators, and
 * nobody without the key can tell the number. {@code card_KEY_} and 32 letters, which are 128 bits of HMAC-SHA-256 over the
 * number's digits in ASCII. Neither digits nor dashes are in the letters, so that a token is never taken for a number, and is
 * good in a URI. Safe for any thread.
 */
public final class CardTokens {
    private static final String PREFIX = "card_";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int TOKEN_BYTES = 16;
    /** One per value of four bits; without vowels they make no words. */
    private static final String LETTERS = "bcdfghjkmnpqrstv";

    private final List<CardKey> keys;

    /** @param keys the one in use first, then those before it; at least one */
    public CardTokens(List<CardKey> keys) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("tokens need a key");
        }
        this.keys = List.copyOf(keys);
    }

    /** Under the key in use. @param number with or without separators */
    public String token(String number) {
        return token(keys.get(0), number);
    }

    /**
     * Every token that the number may have in the log and in history, the one under the key in use first: what to compare
     * with where tokens of several keys are.
     */
    public List<String> tokens(String number) {
        return keys.stream().map(key -> token(key, number)).toList();
    }

    /**
     * A text with tokens in the place of its card numbers, once under each key: what to find it by where tokens of several
     * keys are.
     */
    public List<String> texts(String text) {
        return keys.stream()
                .map(key -> CardNumbers.replaced(text, number -> token(key, number)))
                .toList();
    }

    private static String token(CardKey key, String number) {
        byte[] hash = hmac(key, CardNumbers.digits(number).getBytes(StandardCharsets.US_ASCII));
        StringBuilder token = new StringBuilder(PREFIX).append(key.id()).append('_');
        for (int i = 0; i < TOKEN_BYTES; i++) {
            token.append(LETTERS.charAt(hash[i] >> 4 & 0xF)).append(LETTERS.charAt(hash[i] & 0xF));
        }
        return token.toString();
    }

    private static byte[] hmac(CardKey key, byte[] message) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key.secret(), ALGORITHM));
            return mac.doFinal(message);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + ALGORITHM, e);
        }
    }
}
