package dev.vigil.dashboard.cases;

/** The action did nothing, since the case is no longer, or never was, as its sender took it to be. Look at the case again. */
public final class CaseConflictException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CaseConflictException(String message) {
        super(message);
    }
}
