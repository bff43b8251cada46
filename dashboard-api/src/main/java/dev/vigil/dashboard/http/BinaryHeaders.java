package dev.vigil.dashboard.http;

import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.event.card.CardNumbers;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * CloudEvents attributes in {@code ce-} headers, as the HTTP protocol binding 1.0.2 (§3.1.3.2) decodes them. What cannot be decoded is
 * a problem: if something stood in its place, different ids would become one.
 */
final class BinaryHeaders {
    private static final String PREFIX = "ce-";
    private static final int ESCAPE_LENGTH = 3;
    private static final char REPLACEMENT = '\uFFFD';
    private static final Pattern NAME = Pattern.compile("[a-z0-9]{1,64}");

    private BinaryHeaders() {}

    private static final class UndecodableException extends Exception {
        private static final long serialVersionUID = 1L;

        UndecodableException(String message) {
            super(message);
        }
    }

    /**
     * By name without the prefix, in lower case.
     *
     * @param problems what is wrong is added to them: headers given twice, or with a value that cannot be decoded
     */
    static Map<String, String> attributes(HttpServletRequest request, List<EventProblem> problems) {
        Map<String, String> attributes = new HashMap<>();
        for (String header : Collections.list(request.getHeaderNames())) {
            String name = header.toLowerCase(Locale.ROOT);
            if (!name.startsWith(PREFIX)) {
                continue;
            }
            String attribute = name.substring(PREFIX.length());
            List<String> values = Collections.list(request.getHeaders(header));
            if (values.size() != 1 || attributes.containsKey(attribute)) {
                problems.add(problem(attribute, "expected one header " + PREFIX + "NAME, found several"));
                continue;
            }
            try {
                attributes.put(attribute, decode(values.get(0)));
            } catch (UndecodableException e) {
                problems.add(problem(attribute, String.valueOf(e.getMessage())));
            }
        }
        return attributes;
    }

    private static EventProblem problem(String attribute, String detail) {
        boolean isName = NAME.matcher(attribute).matches() && !CardNumbers.isIn(attribute);
        return new EventProblem(null, isName ? attribute : "attribute", EventProblem.MALFORMED, detail);
    }

    /** Quotes and backslashes first, then percent-encoded UTF-8. */
    private static String decode(String header) throws UndecodableException {
        String text = unquote(header.strip());
        if (text.indexOf(REPLACEMENT) >= 0) {
            throw new UndecodableException("expected percent-encoded UTF-8, found a character that cannot be told");
        }
        byte[] raw = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length);
        for (int i = 0; i < raw.length; i++) {
            if (raw[i] == '%') {
                bytes.write(escaped(raw, i));
                i += ESCAPE_LENGTH - 1;
            } else {
                bytes.write(raw[i]);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new UndecodableException("expected percent-encoded UTF-8, found bytes that are none");
        }
    }

    private static int escaped(byte[] text, int at) throws UndecodableException {
        int high = at + 1 < text.length ? Character.digit(text[at + 1], 16) : -1;
        int low = at + 2 < text.length ? Character.digit(text[at + 2], 16) : -1;
        if (high < 0 || low < 0) {
            throw new UndecodableException(
                    "expected two hexadecimal digits behind every percent sign (itself %25), found others");
        }
        return high << 4 | low;
    }

    private static String unquote(String text) {
        if (text.length() < 2 || !text.startsWith("\"") || !text.endsWith("\"")) {
            return text;
        }
        return text.substring(1, text.length() - 1).replaceAll("\\\\(.)", "$1");
    }
}
