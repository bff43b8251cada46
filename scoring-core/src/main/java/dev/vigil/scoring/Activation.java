package dev.vigil.scoring;

import dev.vigil.scoring.policy.EventDeclaration;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.KnownSince;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.scoring.state.TaskState.End;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a change of policy means for what the task knows of the time before it. */
final class Activation {
    private static final long US_PER_MS = 1_000;

    private Activation() {}

    /** Takes note of a policy that is in force before the log's first record. */
    static void first(TaskState task, Policy policy) {
        task.known().declared(declared(policy), KnownSince.ALWAYS);
        task.pastPolicies().activated(-1, policy.longestLookBackUs(), policy.text());
    }

    /** Takes note of a policy that becomes active, after the one before has left. @param record that activates it */
    static void activated(TaskState task, Policy policy, LogRecord record) {
        boolean isNothingRefused = task.count(End.DEAD_LETTERED) == 0;
        long latestUs = record.ingestTimeMs() * US_PER_MS + policy.time().maxFutureSkewUs();
        task.known().declared(declared(policy), isNothingRefused ? KnownSince.ALWAYS : latestUs);
        task.pastPolicies().activated(record.offset(), policy.longestLookBackUs(), policy.text());
    }

    /** State that a version before this wrote says nothing of the time before now. */
    static void adopt(TaskState task, Policy active) {
        KnownSince known = task.known();
        if (known.isThere()) {
            return;
        }
        if (task.latestUs() != KnownSince.ALWAYS) {
            known.accepted(task.latestUs());
        }
        known.declared(declared(active), KnownSince.ALWAYS);
        task.pastPolicies().activated(task.nextOffset() - 1, active.longestLookBackUs(), active.text());
    }

    private static Map<String, List<EventLayout.Field>> declared(Policy policy) {
        Map<String, List<EventLayout.Field>> declared = new LinkedHashMap<>();
        for (EventDeclaration event : policy.events()) {
            declared.put(
                    event.type(),
                    event.fields().entrySet().stream()
                            .map(field -> new EventLayout.Field(field.getKey(), field.getValue()))
                            .toList());
        }
        return declared;
    }
}
