package dev.vigil.dashboard.cases;

/** The broker did not confirm an action within the time. It may be stored nevertheless: send it again with the same id. */
public final class ActionNotStoredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ActionNotStoredException(String message, Throwable cause) {
        super(message, cause);
    }
}
