package dev.vigil.dashboard.cases;

import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.CasePage;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.cases.CasesUnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Several places where alerting may run, of which one does: the first that answers is believed. */
public final class FirstCases implements Cases {
    private final List<Cases> places;

    public FirstCases(List<Cases> places) {
        this.places = List.copyOf(places);
    }

    @Override
    public CasePage list(CaseFilter filter) {
        return first(cases -> cases.list(filter));
    }

    @Override
    public Optional<AlertCase> find(String caseId) {
        return first(cases -> cases.find(caseId));
    }

    private <T> T first(Function<Cases, T> question) {
        CasesUnavailableException reason = null;
        for (Cases cases : places) {
            try {
                return question.apply(cases);
            } catch (CasesUnavailableException e) {
                reason = reason == null ? e : reason;
            }
        }
        throw reason != null
                ? reason
                : new CasesUnavailableException("no alerting is known here; name it in dashboard.services");
    }
}
