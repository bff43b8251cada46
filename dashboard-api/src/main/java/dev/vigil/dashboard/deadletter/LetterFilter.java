package dev.vigil.dashboard.deadletter;

import org.jspecify.annotations.Nullable;

/**
 * Which letters are meant.
 *
 * @param reason code; null: any
 * @param stage null: any
 * @param fromMs set aside at or after this, milliseconds since the epoch
 * @param toMs set aside before this
 */
public record LetterFilter(
        @Nullable String reason, @Nullable String stage, long fromMs, long toMs) {
    public static final LetterFilter ALL = new LetterFilter(null, null, Long.MIN_VALUE, Long.MAX_VALUE);

    public boolean matches(StoredLetter letter) {
        return (reason == null || reason.equals(letter.reason()))
                && (stage == null || stage.equals(letter.stage()))
                && letter.atMs() >= fromMs
                && letter.atMs() < toMs;
    }
}
