package dev.vigil.lakehouse.query;

/**
 * A query cannot be answered. The message is one line for the person who wrote it: what is wrong in the SQL, or which
 * limit it exceeds. Correct the query; nothing was changed.
 */
public final class QueryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Whose doing it is. */
    public enum Kind {
        /** The SQL is wrong, or not a query. */
        BAD_SQL,
        /** It takes longer, or more memory, than it may. */
        LIMIT,
        /** Neither: the engine or the files. */
        FAILED
    }

    private final Kind kind;

    QueryException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    QueryException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
