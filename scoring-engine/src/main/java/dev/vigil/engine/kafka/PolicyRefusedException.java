package dev.vigil.engine.kafka;

import dev.vigil.service.ServiceException;

/** A policy must not follow the active one; the message says what was expected and found. Nothing was written. */
public final class PolicyRefusedException extends ServiceException {
    private static final long serialVersionUID = 1L;

    private final String field;
    private final boolean rollBack;

    PolicyRefusedException(String field, String problem, boolean rollBack) {
        super(field + ": " + problem);
        this.field = field;
        this.rollBack = rollBack;
    }

    /** The policy's key that is refused, {@code version} or {@code currency}; the message begins with it. */
    public String field() {
        return field;
    }

    /** Whether it is only that the version is not higher: {@link PolicyPublisher.Versions#ANY} would let it pass. */
    public boolean isRollBack() {
        return rollBack;
    }
}
