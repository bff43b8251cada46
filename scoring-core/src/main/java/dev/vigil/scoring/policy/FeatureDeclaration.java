package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigNode;
import dev.vigil.scoring.state.EventLayout;
import org.jspecify.annotations.Nullable;

/** A named value computed for every event. */
public sealed interface FeatureDeclaration {
    String name();

    /** Where the policy declares it, for complaints. */
    ConfigNode place();

    /**
     * An aggregate over a window of the account's events.
     *
     * @param field the event type's field; absent where the aggregate looks at events
     * @param label for RATE: the label's name; absent where it looks at a bool field
     * @param overUs length of the window (t − delay − over, t − delay]
     * @param prior leaves the event itself out
     * @param nth for NTH_LAST, 1 or more
     * @param where condition over the fields of the events in the window; absent: all
     */
    record Windowed(
            String name,
            ConfigNode place,
            Aggregate aggregate,
            String eventType,
            EventLayout.@Nullable Field field,
            @Nullable String label,
            long overUs,
            long delayUs,
            boolean prior,
            int nth,
            @Nullable ConfigNode where)
            implements FeatureDeclaration {}

    /** An expression over event fields, reference fields and the features before it. */
    record Computed(String name, ConfigNode place, ConfigNode expression) implements FeatureDeclaration {}
}
