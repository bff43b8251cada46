package dev.vigil.event.cases;

import org.jspecify.annotations.Nullable;

/**
 * Which cases to list; absent parts let all through.
 *
 * @param open true: those that are not closed; false: closed ones
 * @param after id of the case behind which the page begins, as the page before named it
 * @param limit at least 1
 */
public record CaseFilter(
        @Nullable Boolean open,
        @Nullable String assignee,
        @Nullable String account,
        @Nullable String rule,
        @Nullable String after,
        int limit) {}
