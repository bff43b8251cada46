package dev.vigil.alerting;

import java.util.Base64;

/**
 * A Standard Webhooks secret, {@code whsec_} and the base64 of 24 to 64 random bytes. Never shows its text but through
 * {@link #text}; not in {@link #toString}, not in complaints.
 */
public record WebhookSecret(String text) {
    private static final String PREFIX = "whsec_";
    private static final int MIN_BYTES = 24;
    private static final int MAX_BYTES = 64;

    public WebhookSecret {
        if (!text.startsWith(PREFIX)) {
            throw new IllegalArgumentException("expected a secret that starts with whsec_, found one that does not");
        }
        int byteCount = decode(text).length;
        if (byteCount < MIN_BYTES || byteCount > MAX_BYTES) {
            throw new IllegalArgumentException("expected whsec_ and the base64 of " + MIN_BYTES + " to " + MAX_BYTES
                    + " bytes, found " + byteCount + " bytes");
        }
    }

    /** The key that signatures are made with. */
    public byte[] key() {
        return decode(text);
    }

    private static byte[] decode(String text) {
        try {
            return Base64.getDecoder().decode(text.substring(PREFIX.length()));
        } catch (IllegalArgumentException e) {
            // The decoder's message names a character of the secret.
            throw new IllegalArgumentException("expected whsec_ and base64, found something else after whsec_");
        }
    }

    @Override
    public String toString() {
        return PREFIX + "***";
    }
}
