package dev.vigil.dashboard.intake;

/** The schema registry cannot be asked now: the same record is to be read again later. */
public final class RegistryUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message one line, which says where the registry should be */
    public RegistryUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }

    public RegistryUnavailableException(String message) {
        super(message);
    }
}
