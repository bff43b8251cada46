package dev.vigil.scoring.state;

/**
 * State bytes that this version cannot read: written by a newer one, or damaged. The caller stops the task; going on with
 * an empty state would be wrong in silence.
 */
public final class StateFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StateFormatException(String message) {
        super(message);
    }
}
