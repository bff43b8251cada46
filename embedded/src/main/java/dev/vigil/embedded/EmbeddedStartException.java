package dev.vigil.embedded;

/**
 * A broker or database that could not be started. The message is one line that says what was expected and what was
 * found; whoever catches it shows that line to the user and gives up, for a second try would fail alike.
 */
public final class EmbeddedStartException extends RuntimeException {

    EmbeddedStartException(String message) {
        super(message);
    }

    EmbeddedStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
