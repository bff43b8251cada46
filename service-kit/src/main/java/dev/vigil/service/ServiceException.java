package dev.vigil.service;

/**
 * A service cannot start or go on. The message is one line for a person: what was expected, what was found, what to do.
 * The launcher prints it and stops the process with exit code 1; nothing half-done is left behind, since state and
 * position move together.
 */
public class ServiceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ServiceException(String message) {
        super(message);
    }

    public ServiceException(String message, Throwable cause) {
        super(message, cause);
    }
}
