package dev.vigil.event;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A rule that hit.
 *
 * @param score what it added; 0 or more
 * @param values the values that made it hit, by the name under which the rule reads them
 */
public record RuleHit(String rule, int score, String reason, Map<String, Object> values) {
    public RuleHit {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }
}
