package dev.vigil.scoring;

import dev.vigil.event.DeadLetter;

/** A record that can never be scored; ends as a dead letter. Carries no stack trace, since it is a value, not a fault. */
final class Rejection extends Exception {
    private static final long serialVersionUID = 1L;

    final DeadLetter.Reason reason;
    final String detail;

    Rejection(DeadLetter.Reason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
        this.detail = detail;
    }
}
