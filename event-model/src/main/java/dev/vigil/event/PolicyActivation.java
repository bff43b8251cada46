package dev.vigil.event;

import java.util.Map;
import java.util.Objects;

/**
 * An activation of a policy, as the register of policies ({@code vigil.policies}) keeps it: value of a record there.
 *
 * @param topicId of the log in which it was activated
 * @param id of its records in the log
 * @param begun about to be written, and not yet known to be in every partition
 * @param offsets in the log, by partition. Of one that was begun only where the first partition ended before it; of one that
 *     was found in the log, only that partition's
 * @param policy YAML text
 */
public record PolicyActivation(String topicId, String id, boolean begun, Map<Integer, Long> offsets, String policy) {
    /** The partition that is told of an activation last: what is active there is active in all. */
    public static final int SPEAKER = 0;

    public PolicyActivation {
        offsets = Map.copyOf(offsets);
    }

    /** @param end where the first partition of the log ends now */
    public static PolicyActivation begin(String topicId, String id, long end, String policy) {
        return new PolicyActivation(topicId, id, true, Map.of(SPEAKER, end), policy);
    }

    /** The same, known to be in every partition. */
    public PolicyActivation doneAt(Map<Integer, Long> offsetByPartition) {
        return new PolicyActivation(topicId, id, false, offsetByPartition, policy);
    }

    /** Orders the activations of a log. */
    public long speakerOffset() {
        return Objects.requireNonNull(offsets.get(SPEAKER), id);
    }

    /** Key of its record. */
    public String key() {
        return topicId + " " + id;
    }
}
