package dev.vigil.dashboard.deadletter;

import dev.vigil.event.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as it stands in the topic: the refused record, byte for byte, with headers that say why.
 *
 * @param atMs when it was set aside, milliseconds since the epoch
 * @param headers in their order, Vigil's own included
 */
public record StoredLetter(
        LetterPosition position,
        long atMs,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<LetterHeader> headers) {
    private static final String UNKNOWN = "unknown";

    public StoredLetter {
        headers = List.copyOf(headers);
    }

    /** The last header of that name, which is the one that counts; null if there is none. */
    public @Nullable String header(String name) {
        byte[] found = null;
        for (LetterHeader header : headers) {
            if (header.name().equals(name)) {
                found = header.value();
            }
        }
        return found == null ? null : new String(found, StandardCharsets.UTF_8);
    }

    /** Code as {@link DeadLetter.Reason#code} gives it; {@code unknown} where somebody else wrote the record. */
    public String reason() {
        return orUnknown(header(DeadLetter.REASON_HEADER));
    }

    public String stage() {
        return orUnknown(header(DeadLetter.STAGE_HEADER));
    }

    public String detail() {
        String detail = header(DeadLetter.DETAIL_HEADER);
        return detail == null ? "" : detail;
    }

    /** Headers that the refused record had. */
    public List<LetterHeader> originalHeaders() {
        return headers.stream()
                .filter(header -> !header.name().startsWith(DeadLetter.HEADER_PREFIX))
                .toList();
    }

    private static String orUnknown(@Nullable String text) {
        return text == null ? UNKNOWN : text;
    }
}
