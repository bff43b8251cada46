package dev.vigil.dashboard.intake;

/** A value that can never be read; its record goes to the dead letters. Carries no stack trace, since it is no fault of ours. */
public final class UnreadableValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String code;

    /**
     * @param code of an {@link EventProblem}
     * @param detail for people, without anything of the value
     */
    public UnreadableValueException(String code, String detail) {
        super(detail, null, false, false);
        this.code = code;
    }

    public String code() {
        return code;
    }
}
