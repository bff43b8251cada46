package dev.vigil.alerting;

import dev.vigil.config.ConfigNode;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A key that endpoints are encrypted with where they are stored.
 *
 * @param id stands beside what was encrypted with it
 * @param secret 32 bytes or more
 */
public record EndpointKey(String id, byte[] secret) {
    private static final int MIN_BYTES = 32;
    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9._-]{0,31}");

    public EndpointKey {
        if (!ID.matcher(id).matches() || secret.length < MIN_BYTES) {
            throw new IllegalArgumentException("expected an id of at most 32 letters, digits, dots, hyphens and"
                    + " underscores, lower case, and " + MIN_BYTES + " bytes");
        }
        secret = secret.clone();
    }

    @Override
    public byte[] secret() {
        return secret.clone();
    }

    static EndpointKey from(ConfigNode node) {
        node.knownKeys("id", "secret");
        String id = node.require("id").read("at most 32 letters, digits, dots and hyphens, lower case", text -> {
            if (!ID.matcher(text).matches()) {
                throw new IllegalArgumentException(text);
            }
            return text;
        });
        return new EndpointKey(id, secret(node.require("secret")));
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
        return "EndpointKey[" + id + "]";
    }
}
