package dev.vigil.scoring;

import dev.vigil.scoring.policy.EventDeclaration;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.TimeRules;
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

    /**
     * Takes note of a policy that another replaces.
     *
     * @param horizonUs of the policy; events at or before it may have been forgotten
     */
    static void leaving(TaskState task, Policy policy, long horizonUs) {
        task.known().leaving(newestUs(task, policy), horizonUs);
    }

    /** Takes note of a policy that becomes active, after the one before has left. @param record that activates it */
    static void activated(TaskState task, Policy next, LogRecord record, String text) {
        boolean isNothingRefused = task.count(End.DEAD_LETTERED) == 0;
        long latestUs = record.ingestTimeMs() * US_PER_MS + next.time().maxFutureSkewUs();
        task.known().declared(declared(next), isNothingRefused ? KnownSince.ALWAYS : latestUs);
        task.pastPolicies().activated(record.offset(), next.longestLookBackUs(), text);
    }

    /** State that a version before this wrote says nothing of the time before now. */
    static void adopt(TaskState task, Policy active) {
        KnownSince known = task.known();
        if (known.isThere()) {
            return;
        }
        long newestUs = newestUs(task, active);
        if (newestUs != KnownSince.ALWAYS) {
            known.accepted(newestUs);
        }
        known.declared(declared(active), KnownSince.ALWAYS);
        String text = java.util.Objects.requireNonNull(task.policyText());
        task.pastPolicies().activated(task.nextOffset() - 1, active.longestLookBackUs(), text);
    }

    /** No event accepted under the policy is later. */
    private static long newestUs(TaskState task, Policy policy) {
        TimeRules time = policy.time();
        return task.watermarkUs() == TaskState.NO_WATERMARK
                ? KnownSince.ALWAYS
                : task.watermarkUs() + time.outOfOrdernessUs();
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
