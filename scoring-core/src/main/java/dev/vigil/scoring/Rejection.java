package dev.vigil.scoring;

import dev.vigil.event.DeadLetter;
import org.jspecify.annotations.Nullable;

/** A record that can never be scored; ends as a dead letter. Carries no stack trace, since it is a value, not a fault. */
final class Rejection extends Exception {
    private static final long serialVersionUID = 1L;

    final DeadLetter.Reason reason;
    final String detail;
    /** Key in the data of the value that is refused; null where it is not about one. */
    final @Nullable String field;
    /** What it should have been; null where the detail says all there is to say. */
    final @Nullable String expected;

    Rejection(DeadLetter.Reason reason, String detail) {
        this(reason, detail, null, null);
    }

    Rejection(DeadLetter.Reason reason, String detail, @Nullable String field, @Nullable String expected) {
        super(detail, null, false, false);
        this.reason = reason;
        this.detail = detail;
        this.field = field;
        this.expected = expected;
    }

    /** Of the value of a field. @param found without the value itself, which may be a card number */
    static Rejection ofField(DeadLetter.Reason reason, String field, String expected, String found) {
        return new Rejection(reason, field + ": expected " + expected + ", found " + found, field, expected);
    }
}
