package dev.vigil.alerting.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * By which a request is known when it comes again.
 *
 * @param key digest of its idempotency key
 * @param content digest of what was asked for
 */
public record RequestMark(String key, String content) {
    /** Null without a key: such a request is never known again. */
    static @Nullable RequestMark of(@Nullable String idempotencyKey, JsonNode content) {
        return idempotencyKey == null ? null : new RequestMark(digest(idempotencyKey), digest(content.toString()));
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
