package dev.vigil.dashboard.cases;

import dev.vigil.event.cases.CaseAction;

/** Where actions on cases go. Called by several threads at once. */
@FunctionalInterface
public interface CaseActions {
    /**
     * Returns once the action is stored for good, which says nothing about what becomes of it.
     *
     * @throws ActionNotStoredException if it may not be; sent again with the same id it counts once
     */
    void append(CaseAction action);
}
