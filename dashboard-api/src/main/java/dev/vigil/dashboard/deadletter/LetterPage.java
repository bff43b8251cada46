package dev.vigil.dashboard.deadletter;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a list, newest first.
 *
 * @param next cursor to go on with; absent at the end. A page may be short, even empty, and have one: reading is bounded
 */
public record LetterPage(
        List<LetterSummary> letters, @Nullable String next) {
    public LetterPage {
        letters = List.copyOf(letters);
    }
}
