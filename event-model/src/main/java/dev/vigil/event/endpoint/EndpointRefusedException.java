package dev.vigil.event.endpoint;

/** Why nothing was done about an endpoint. The message is one line for whoever asked, without any secret. */
public final class EndpointRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** What the asker can do about it. */
    public enum Kind {
        /** Ask for something else: the message says what was expected. */
        INVALID,
        /** There is none of this name. */
        UNKNOWN,
        /** It cannot be done as things are. */
        CONFLICT,
        /** Ask again in a moment. */
        BUSY,
        /** Ask again when alerting or the broker runs; whether something was done is not known. */
        UNAVAILABLE
    }

    private final Kind kind;

    public EndpointRefusedException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
