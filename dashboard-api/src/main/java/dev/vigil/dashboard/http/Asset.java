package dev.vigil.dashboard.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Map;

/** A file of the page, held in memory. */
record Asset(String contentType, byte[] content, String etag) {
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "yaml", "application/yaml");

    /** @throws IllegalStateException if the class path has no such resource: the distribution is incomplete */
    static Asset load(String resource) {
        try (InputStream in = Asset.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the class path has no " + resource);
            }
            byte[] content = in.readAllBytes();
            String type = TYPES.get(resource.substring(resource.lastIndexOf('.') + 1));
            if (type == null) {
                throw new IllegalStateException("no content type is known for " + resource);
            }
            return new Asset(type, content, '"' + sha256(content).substring(0, 22) + '"');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String sha256(byte[] content) {
        try {
            return Base64.getEncoder()
                    .encodeToString(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
