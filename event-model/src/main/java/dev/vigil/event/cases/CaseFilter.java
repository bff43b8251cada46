package dev.vigil.event.cases;

import org.jspecify.annotations.Nullable;

/**
 * Which cases to list; absent parts let all through.
 *
 * @param open true: those that are not closed; false: closed ones
 * @param after behind which the page begins: {@link CasePage#next} of the page before, as it is
 * @param limit at least 1
 */
public record CaseFilter(
        @Nullable Boolean open,
        @Nullable String assignee,
        @Nullable String account,
        @Nullable String rule,
        @Nullable String after,
        int limit) {}
