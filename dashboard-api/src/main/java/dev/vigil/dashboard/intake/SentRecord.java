package dev.vigil.dashboard.intake;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record as a foreign producer sent it. Its bytes are not to be changed.
 *
 * @param headers in their order
 */
public record SentRecord(byte @Nullable [] key, byte @Nullable [] value, List<Header> headers) {
    /** A header of the record. */
    public record Header(String name, byte @Nullable [] value) {}

    public SentRecord {
        headers = List.copyOf(headers);
    }

    /** The last header of that name as a text; null if there is none or it is no UTF-8. */
    @Nullable
    String header(String name) {
        byte[] found = null;
        for (Header header : headers) {
            if (header.name().equals(name)) {
                found = header.value();
            }
        }
        return text(found);
    }

    /** Null for null, and for what is no UTF-8: two ids of such bytes would be one text. */
    static @Nullable String text(byte @Nullable [] bytes) {
        if (bytes == null) {
            return null;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
