package dev.vigil.dashboard.cases;

/** There is no case of that id, or it is kept no longer. */
public final class NoSuchCaseException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public NoSuchCaseException(String caseId) {
        super("no case " + caseId);
    }
}
