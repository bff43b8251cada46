package dev.vigil.service;

import java.util.Objects;
import java.util.concurrent.ExecutionException;

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

    /**
     * @param what could not be done; the message goes on with why
     * @param failed waiting for another thread; its cause tells why
     */
    public static ServiceException because(String what, ExecutionException failed) {
        Throwable why = Objects.requireNonNullElse(failed.getCause(), failed);
        return new ServiceException(what + ": " + why.getMessage(), failed);
    }
}
