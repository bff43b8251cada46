package dev.vigil.dashboard.cases;

/** What was asked for is no action; its message, one line, names the key, what was expected and what was found. */
public final class BadActionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BadActionException(String message) {
        super(message);
    }
}
