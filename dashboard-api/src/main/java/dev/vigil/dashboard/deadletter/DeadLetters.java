package dev.vigil.dashboard.deadletter;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * The topic of dead letters, read by a person. Each call blocks until the broker has answered, for a few seconds at most
 * where it does not answer; nothing is kept between calls. Safe for any thread.
 *
 * <p>All of it throws {@link dev.vigil.service.ServiceException} when the broker does not answer, or the topic is not there
 * because no service has started yet.
 */
public interface DeadLetters {
    /**
     * @param limit most letters of the page
     * @param cursor of the page before; null for the first
     * @throws IllegalArgumentException if the cursor is not one of these letters
     */
    LetterPage list(LetterFilter filter, int limit, @Nullable String cursor);

    /** The letter with its original bytes; empty if none stands there, or none any more. */
    Optional<StoredLetter> find(LetterPosition position);

    /** What is known of the letter besides its bytes: also whether it was put back. */
    LetterSummary summary(StoredLetter letter);

    /**
     * Puts letters back where they came from, those of one partition in their order, and marks each once the broker has
     * acknowledged it. One that was put back before is put back again: its identity is the same, so it counts once.
     * What ends the process in the middle may leave a letter put back and not marked.
     *
     * @return an outcome for each, in order
     */
    List<RetryOutcome> retry(SortedSet<LetterPosition> positions);
}
