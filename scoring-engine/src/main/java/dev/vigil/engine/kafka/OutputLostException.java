package dev.vigil.engine.kafka;

/**
 * The broker refused an output for good. The worker closes its tasks without writing the step and scores the records
 * again; state never gets ahead of what was emitted.
 */
final class OutputLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputLostException(Exception cause) {
        super("the broker refused an output: " + cause.getMessage(), cause);
    }
}
