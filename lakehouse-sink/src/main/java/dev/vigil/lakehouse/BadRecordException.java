package dev.vigil.lakehouse;

import dev.vigil.event.DeadLetter;

/** A record that no reader will ever understand: set it aside, count it, go on. */
final class BadRecordException extends Exception {
    private static final long serialVersionUID = 1L;

    private final DeadLetter.Reason reason;

    BadRecordException(DeadLetter.Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    DeadLetter.Reason reason() {
        return reason;
    }
}
