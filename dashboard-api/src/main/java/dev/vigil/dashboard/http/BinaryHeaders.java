package dev.vigil.dashboard.http;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** CloudEvents attributes in {@code ce-} headers, as the HTTP protocol binding 1.0.2 (§3.1.3.2) decodes them. */
final class BinaryHeaders {
    private static final String PREFIX = "ce-";

    private BinaryHeaders() {}

    /** By name without the prefix, in lower case; of a header given twice, the values with a comma between them. */
    static Map<String, String> attributes(HttpServletRequest request) {
        Map<String, String> attributes = new HashMap<>();
        for (String header : Collections.list(request.getHeaderNames())) {
            String name = header.toLowerCase(Locale.ROOT);
            if (name.startsWith(PREFIX)) {
                attributes.put(
                        name.substring(PREFIX.length()),
                        decode(String.join(",", Collections.list(request.getHeaders(header)))));
            }
        }
        return attributes;
    }

    /** Quotes and backslashes first, then percent-encoded UTF-8; a percent sign that starts no such byte stays. */
    static String decode(String header) {
        String text = unquote(header.strip());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int high = c == '%' && i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
            if (low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else {
                bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    private static String unquote(String text) {
        if (text.length() < 2 || !text.startsWith("\"") || !text.endsWith("\"")) {
            return text;
        }
        return text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1");
    }
}
