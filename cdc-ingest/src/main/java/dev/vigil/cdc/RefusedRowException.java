package dev.vigil.cdc;

import dev.vigil.event.DeadLetter.Reason;

/** Leaves the mapping of one row; {@link RowMapper} turns it into a dead letter. Never leaves this package. */
final class RefusedRowException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    RefusedRowException(Reason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    Reason reason() {
        return reason;
    }

    String detail() {
        return String.valueOf(getMessage());
    }
}
