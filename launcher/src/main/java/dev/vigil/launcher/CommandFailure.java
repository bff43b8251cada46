package dev.vigil.launcher;

/** A command cannot do what it was asked for; the message is one line for the person who asked. */
final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailure(String message) {
        super(message);
    }
}
