package dev.vigil.dashboard.history;

/** Why a query has no result. The message is one line that may be shown to whoever asked: no paths, no stack, no host. */
public final class HistoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the asker can do about it. */
    public enum Kind {
        /** Correct the statement. */
        INVALID,
        /** Ask for less, or again later. */
        TIMEOUT,
        /** Ask again later. */
        UNAVAILABLE
    }

    private final Kind kind;

    public HistoryException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public HistoryException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
