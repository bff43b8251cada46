package dev.vigil.engine.kafka;

import dev.vigil.service.ServiceException;

/** A policy must not follow the active one; the message names the field and both versions. Nothing was written. */
public final class PolicyRefusedException extends ServiceException {
    private static final long serialVersionUID = 1L;

    private final boolean rollBack;

    PolicyRefusedException(String message, boolean rollBack) {
        super(message);
        this.rollBack = rollBack;
    }

    /** Whether it is only that the version is not higher: {@link PolicyPublisher.Versions#ANY} would let it pass. */
    public boolean isRollBack() {
        return rollBack;
    }
}
