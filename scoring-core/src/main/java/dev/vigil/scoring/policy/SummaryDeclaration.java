package dev.vigil.scoring.policy;

import dev.vigil.scoring.policy.FeatureDeclaration.Windowed;
import java.util.List;

/**
 * What is told of each account's events when a window is over.
 *
 * @param values as features whose window's edges the summary sets
 * @param text of the declaration, by which a later policy is known to mean the same
 */
public record SummaryDeclaration(String name, TumblingWindow window, List<Windowed> values, String text) {
    public SummaryDeclaration {
        values = List.copyOf(values);
    }
}
