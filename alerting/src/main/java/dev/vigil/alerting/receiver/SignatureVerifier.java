package dev.vigil.alerting.receiver;

import dev.vigil.alerting.WebhookSecret;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Verifies messages after Standard Webhooks: HMAC-SHA256 over {@code id.timestamp.body}, time stamp within five minutes
 * of now either way, signatures compared in constant time. Shares no code with the sender. Safe for any thread.
 */
final class SignatureVerifier {
    private static final long TOLERANCE_SECONDS = 300;

    private final SecretKeySpec key;

    SignatureVerifier(WebhookSecret secret) {
        this.key = new SecretKeySpec(secret.key(), "HmacSHA256");
    }

    /** Why the message is not genuine; empty if it is. */
    Optional<String> problem(
            @Nullable String id, @Nullable String timestamp, @Nullable String signatures, byte[] body, long nowMs) {
        if (id == null || timestamp == null || signatures == null) {
            return Optional.of("expected webhook-id, webhook-timestamp and webhook-signature, found one missing");
        }
        if (!timestamp.matches("\\d{1,12}")) {
            return Optional.of("expected seconds since the epoch as webhook-timestamp");
        }
        if (Math.abs(Math.floorDiv(nowMs, 1_000) - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
            return Optional.of("expected a webhook-timestamp within five minutes of now");
        }
        byte[] expected = sign(id, timestamp, body);
        for (String signature : signatures.split(" ", -1)) {
            if (signature.startsWith("v1,")
                    && MessageDigest.isEqual(expected, signature.substring(3).getBytes(StandardCharsets.UTF_8))) {
                return Optional.empty();
            }
        }
        return Optional.of("no signature fits the secret");
    }

    private byte[] sign(String id, String timestamp, byte[] body) {
        ByteArrayOutputStream signed = new ByteArrayOutputStream();
        signed.writeBytes((id + '.' + timestamp + '.').getBytes(StandardCharsets.UTF_8));
        signed.writeBytes(body);
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            return Base64.getEncoder().encode(mac.doFinal(signed.toByteArray()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }
}
