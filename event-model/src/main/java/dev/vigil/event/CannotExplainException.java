package dev.vigil.event;

/** Why there is no {@link Explanation}. The message is one line for whoever asked. */
public final class CannotExplainException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the asker can do about it. */
    public enum Kind {
        /** The state holds no such event: it never came, was not accepted, or was forgotten. */
        UNKNOWN,
        /** Name the source too. */
        AMBIGUOUS,
        /** The policy that scored it is not kept any more. */
        POLICY_GONE,
        /** Ask the engine that has the account's partition. */
        ELSEWHERE,
        /** Ask again later. */
        BUSY,
        /** Ask again when the engine runs. */
        UNAVAILABLE
    }

    private final Kind kind;

    public CannotExplainException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
