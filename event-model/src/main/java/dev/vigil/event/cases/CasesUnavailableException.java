package dev.vigil.event.cases;

/** Nobody who has the cases answers; its message says who was asked. */
public final class CasesUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CasesUnavailableException(String message) {
        super(message);
    }
}
