package dev.vigil.dashboard.intake;

/** The log did not confirm an append. The caller tells its client to send the same events again. */
public final class EventLogException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public EventLogException(String message, Throwable cause) {
        super(message, cause);
    }
}
