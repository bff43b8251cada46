package dev.vigil.scoring;

import dev.vigil.scoring.expression.Scope;
import dev.vigil.scoring.policy.FeatureDeclaration;
import dev.vigil.scoring.state.KnownSince;
import dev.vigil.scoring.window.FeatureWindow;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Since which event time a plan's features are complete. With events known since 12:00 and {@code over: 1h, delay: 10m},
 * the first event whose window is known as a whole is one at 13:10: its window is (12:00, 13:00].
 */
final class Completeness {
    private Completeness() {}

    /**
     * µs by feature, in the policy's order; features that read no window, and are therefore always complete, left out. Null
     * before the first event, when nothing is known of any time.
     */
    static @Nullable Map<String, Long> sinceUs(ScoringPlan plan, KnownSince known) {
        if (!known.hasEvents()) {
            return null;
        }
        Map<String, Long> since = new HashMap<>();
        plan.windows().forEach((name, window) -> since.put(name, sinceUs(window, known)));
        Map<Integer, String> names = new HashMap<>();
        plan.features().forEach(feature -> names.put(feature.slot(), feature.name()));
        for (ScoringPlan.ComputedFeature computed : plan.computed()) {
            for (Scope.Variable read : computed.expression().reads()) {
                Long readSince = since.get(read.name());
                if (readSince != null) {
                    since.merge(java.util.Objects.requireNonNull(names.get(computed.slot())), readSince, Math::max);
                }
            }
        }
        Map<String, Long> ordered = new LinkedHashMap<>();
        for (FeatureDeclaration feature : plan.policy().features()) {
            Long featureSince = since.get(feature.name());
            if (featureSince != null) {
                ordered.put(feature.name(), featureSince);
            }
        }
        return ordered;
    }

    private static long sinceUs(FeatureWindow window, KnownSince known) {
        return known.sinceUs(window.eventType(), window.fields()) + window.lookBackUs();
    }
}
