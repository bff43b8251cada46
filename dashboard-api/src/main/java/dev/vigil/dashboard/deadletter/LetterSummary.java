package dev.vigil.dashboard.deadletter;

import dev.vigil.event.TopicNames;
import dev.vigil.event.card.CardNumbers;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter as a list shows it, card numbers masked.
 *
 * @param atMs when it was set aside, milliseconds since the epoch
 * @param origin where the refused record stood; absent for what never was a record
 * @param bytes of the value
 * @param retried when it was put back last, and where it stands since; absent where it was not
 * @param notRetryable why it cannot be put back; absent where it can
 */
public record LetterSummary(
        LetterPosition position,
        int partition,
        long offset,
        long atMs,
        String reason,
        String stage,
        String detail,
        @Nullable LetterOrigin origin,
        int bytes,
        @Nullable RetryMark retried,
        @Nullable String notRetryable) {
    /** Newest first; a total order. */
    public static final Comparator<LetterSummary> NEWEST_FIRST = Comparator.comparingLong(LetterSummary::atMs)
            .thenComparing(LetterSummary::position)
            .reversed();

    public static LetterSummary of(StoredLetter letter, TopicNames topics) {
        byte[] value = letter.value();
        return new LetterSummary(
                letter.position(),
                letter.position().partition(),
                letter.position().offset(),
                letter.atMs(),
                CardNumbers.masked(letter.reason()),
                CardNumbers.masked(letter.stage()),
                CardNumbers.masked(letter.detail()),
                LetterOrigin.of(letter, topics).orElse(null),
                value == null ? 0 : value.length,
                null,
                RetryTarget.of(letter, topics).refusal());
    }

    public LetterSummary withRetry(@Nullable RetryMark mark) {
        return new LetterSummary(
                position, partition, offset, atMs, reason, stage, detail, origin, bytes, mark, notRetryable);
    }
}
