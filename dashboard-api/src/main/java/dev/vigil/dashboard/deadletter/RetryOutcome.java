package dev.vigil.dashboard.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * What became of putting a letter back.
 *
 * @param into where the record stands now, {@code topic:partition:offset}; absent where it was not put back
 * @param refusal why it was not; absent where it was
 */
public record RetryOutcome(
        LetterPosition position,
        @Nullable String into,
        @Nullable String refusal) {
    /** Of a position at which nothing stands, or nothing any more. */
    public static final String GONE = "there is no dead letter at this position";

    public static RetryOutcome into(LetterPosition position, String topic, int partition, long offset) {
        return new RetryOutcome(position, topic + ":" + partition + ":" + offset, null);
    }

    public static RetryOutcome refused(LetterPosition position, String why) {
        return new RetryOutcome(position, null, why);
    }
}
