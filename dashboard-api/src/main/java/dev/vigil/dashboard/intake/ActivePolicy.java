package dev.vigil.dashboard.intake;

import java.util.Optional;

/**
 * What the policy that is active in the log declares, to check events against on their way in. Written by the one thread
 * that follows the register, read by any.
 *
 * <p>An event is checked a moment before it is appended: one that comes behind an activation in the log was checked against
 * the policy before. The engine then has the last word, as ever.
 */
public final class ActivePolicy {
    public enum State {
        /** The register was not read to its end yet: another policy may be active than was seen so far. */
        READING,
        /** No policy is active: the engine would refuse every event. */
        NONE,
        ACTIVE
    }

    private final PolicyLanguage language;
    private volatile Optional<DeclaredTypes> latest;
    private volatile boolean isRead;

    public ActivePolicy(PolicyLanguage language) {
        this.language = language;
        this.latest = language.first();
    }

    public State state() {
        if (!isRead) {
            return State.READING;
        }
        return latest.isPresent() ? State.ACTIVE : State.NONE;
    }

    /** Take them once for events that belong together. Empty unless {@link #state} is ACTIVE. */
    public Optional<DeclaredTypes> types() {
        return isRead ? latest : Optional.empty();
    }

    /** The next activation in the order of the log. */
    public void activated(String policyText) {
        latest = language.activated(policyText);
    }

    /** Every activation that was registered when reading began was told. */
    public void readToEnd() {
        isRead = true;
    }
}
