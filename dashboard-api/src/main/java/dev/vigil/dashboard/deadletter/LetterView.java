package dev.vigil.dashboard.deadletter;

import dev.vigil.event.card.CardNumbers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known of a dead letter, as a person reads it, card numbers masked.
 *
 * @param headers of the refused record, without Vigil's own
 */
public record LetterView(
        LetterSummary letter,
        @Nullable ReadableBytes key,
        List<Header> headers,
        @Nullable ReadableBytes value) {
    /** A header, its value as a person reads it. */
    public record Header(String name, @Nullable ReadableBytes value) {}

    public LetterView {
        headers = List.copyOf(headers);
    }

    public static LetterView of(LetterSummary summary, StoredLetter letter) {
        return new LetterView(
                summary,
                ReadableBytes.of(letter.key()),
                letter.originalHeaders().stream()
                        .map(header -> new Header(CardNumbers.masked(header.name()), ReadableBytes.of(header.value())))
                        .toList(),
                ReadableBytes.of(letter.value()));
    }
}
