package dev.vigil.event.cases;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * @param cases the one with the latest alert first; without their alerts and history
 * @param next for {@link CaseFilter#after}; absent on the last page. A page before it may be short, or empty, where few of many cases
 *     are wanted
 */
public record CasePage(List<AlertCase> cases, @Nullable String next) {
    public CasePage {
        cases = List.copyOf(cases);
    }
}
