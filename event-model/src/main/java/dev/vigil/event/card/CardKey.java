package dev.vigil.event.card;

import dev.vigil.config.ConfigNode;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A key that card tokens are made with.
 *
 * @param id stands in the tokens
 */
public record CardKey(String id, byte[] secret) {
    private static final int MIN_BYTES = 32;
    /** Begins with a letter and is short, so that no token looks like a card number. */
    private static final Pattern ID = Pattern.compile("[a-z][a-z0-9]{0,11}");

    public CardKey {
        secret = secret.clone();
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }

    static CardKey from(ConfigNode node) {
        node.knownKeys("id", "secret");
        return new CardKey(
                node.require("id").read("a letter and at most 11 letters and digits, lower case", CardKey::id),
                secret(node.require("secret")));
    }

    private static String id(String text) {
        if (!ID.matcher(text).matches()) {
            throw new IllegalArgumentException(text);
        }
        return text;
    }

    /** What is found is not repeated: it may be the secret with a slip in it. */
    private static byte[] secret(ConfigNode node) {
        byte[] secret;
        try {
            secret = Base64.getDecoder().decode(node.text().strip());
        } catch (IllegalArgumentException e) {
            throw node.error(
                    "expected a secret in base64, as 'openssl rand -base64 32' makes one, found something else");
        }
        if (secret.length < MIN_BYTES) {
            throw node.error("expected a secret of at least " + MIN_BYTES
                    + " bytes in base64, as 'openssl rand -base64 32' makes one, found " + secret.length + " bytes");
        }
        return secret;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "CardKey[" + id + "]";
    }
}
