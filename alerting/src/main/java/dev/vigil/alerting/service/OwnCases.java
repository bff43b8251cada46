package dev.vigil.alerting.service;

import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.CasePage;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.cases.CasesUnavailableException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The cases of alerting in this process, which has none before it runs and after it was closed. */
final class OwnCases implements Cases {
    private final Supplier<@Nullable Cases> cases;

    OwnCases(Supplier<@Nullable Cases> cases) {
        this.cases = cases;
    }

    @Override
    public CasePage list(CaseFilter filter) {
        return ask(found -> found.list(filter));
    }

    @Override
    public Optional<AlertCase> find(String caseId) {
        return ask(found -> found.find(caseId));
    }

    private <T> T ask(Function<Cases, T> question) {
        Cases found = cases.get();
        if (found == null) {
            throw new CasesUnavailableException("alerting does not run in this process");
        }
        try {
            return question.apply(found);
        } catch (IllegalStateException e) {
            // Closed in between.
            throw new CasesUnavailableException("alerting has stopped in this process");
        }
    }
}
