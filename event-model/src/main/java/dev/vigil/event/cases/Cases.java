package dev.vigil.event.cases;

import java.util.Optional;

/** The cases as they stand, wherever alerting runs. Called by several threads at once. */
public interface Cases {
    /**
     * @throws CasesUnavailableException if alerting does not answer
     * @throws IllegalArgumentException if {@link CaseFilter#after} is nothing that a page named; says so in one line
     */
    CasePage list(CaseFilter filter);

    /**
     * With its latest alerts and its history; empty if there is none of that id, or it is kept no longer.
     *
     * @throws CasesUnavailableException if alerting does not answer
     */
    Optional<AlertCase> find(String caseId);
}
