package dev.vigil.cdc;

import dev.vigil.service.ServiceException;

/** The database does not answer. It may again: a service that has run before waits and tries again. */
public final class SourceUnreachableException extends ServiceException {
    private static final long serialVersionUID = 1L;

    public SourceUnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}
