package dev.vigil.dashboard.intake;

/** The log did not confirm every event of an append. */
public final class EventLogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why. */
    public enum Reason {
        /** The broker did not answer, or refused for now: the same events can be sent again later. */
        UNAVAILABLE,
        /** More waits for the broker than there is room for: the same events can be sent again soon. */
        BUSY,
        /** The broker takes no record as large as one of the events, now or later. */
        TOO_LARGE
    }

    private final Reason reason;
    private final int stored;

    /** @param stored how many of the events the log confirmed; of others it may hold some, too */
    public EventLogException(Reason reason, int stored, Throwable cause) {
        super(reason + ", " + stored + " events confirmed", cause);
        this.reason = reason;
        this.stored = stored;
    }

    public Reason reason() {
        return reason;
    }

    public int stored() {
        return stored;
    }
}
