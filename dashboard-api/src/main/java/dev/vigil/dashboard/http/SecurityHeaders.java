package dev.vigil.dashboard.http;

import java.util.Map;
import java.util.function.BiConsumer;

/** Headers of every answer. The page brings a content security policy of its own. */
final class SecurityHeaders {
    private static final Map<String, String> HEADERS = Map.of(
            "X-Content-Type-Options", "nosniff",
            "X-Frame-Options", "DENY",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Cross-Origin-Opener-Policy", "same-origin",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Cache-Control", "no-store");

    private SecurityHeaders() {}

    static void forEach(BiConsumer<String, String> header) {
        HEADERS.forEach(header);
    }
}
