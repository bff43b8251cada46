package dev.vigil.dashboard.deadletter;

import dev.vigil.event.card.CardNumbers;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Bytes as a person reads them: as text where they are UTF-8 without control characters, else in hex; card numbers masked
 * in both.
 *
 * @param bytes how many there are
 * @param truncated whether only the first are here
 */
public record ReadableBytes(
        int bytes, @Nullable String text, @Nullable String hex, boolean truncated) {
    private static final int MAX_CHARACTERS = 64 << 10;
    private static final int MAX_HEX_BYTES = 16 << 10;

    /** Null for null. */
    public static @Nullable ReadableBytes of(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        String text = text(bytes);
        if (text != null) {
            String masked = CardNumbers.maskedJson(text);
            boolean truncated = masked.length() > MAX_CHARACTERS;
            return new ReadableBytes(
                    bytes.length, truncated ? masked.substring(0, wholeCharacters(masked)) : masked, null, truncated);
        }
        byte[] masked = CardNumbers.masked(bytes);
        boolean truncated = masked.length > MAX_HEX_BYTES;
        String hex = HexFormat.of().formatHex(truncated ? Arrays.copyOf(masked, MAX_HEX_BYTES) : masked);
        return new ReadableBytes(bytes.length, null, hex, truncated);
    }

    private static int wholeCharacters(String text) {
        return Character.isHighSurrogate(text.charAt(MAX_CHARACTERS - 1)) ? MAX_CHARACTERS - 1 : MAX_CHARACTERS;
    }

    private static @Nullable String text(byte[] bytes) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return text.chars().anyMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\r' && c != '\t')
                    ? null
                    : text;
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
