package dev.vigil.dashboard.intake;

import java.util.Optional;

/**
 * Understands policies, which this module does not; the launcher supplies it. One instance follows one log: its methods are
 * called by one thread, in the order of the log.
 */
public interface PolicyLanguage {
    /** Of the policy that is in force before the log's first record; empty: none is. */
    Optional<DeclaredTypes> first();

    /**
     * What is in force from an activation on, as the engine sees it: what it refuses changes nothing.
     *
     * @return empty if there is still none
     */
    Optional<DeclaredTypes> activated(String policyText);
}
