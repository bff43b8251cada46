package dev.vigil.scoring;

import dev.vigil.config.ConfigException;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;
import dev.vigil.event.Json;
import dev.vigil.scoring.policy.Policy;
import java.util.Map;

/** Policies from outside a task: checked before use, and put into the log as control records. */
public final class Policies {
    private static final String SOURCE = "/vigil/policy";

    private Policies() {}

    /**
     * Reads a policy and compiles everything in it.
     *
     * @param fileName how complaints name it
     * @throws ConfigException with file, line, column and field of the first thing that cannot be meant
     */
    public static Policy check(String fileName, String text) {
        return ScoringPlan.check(fileName, text);
    }

    /** The control record that activates a policy; to be written to every partition of the log. */
    public static EventEnvelope activation(Policy policy, long timeUs) {
        return new EventEnvelope(
                policy.name() + ":" + policy.version() + "@" + timeUs,
                SOURCE,
                EventTypes.POLICY,
                timeUs,
                "",
                false,
                Json.encode(Map.of("policy", policy.text())));
    }
}
