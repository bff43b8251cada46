package dev.vigil.scoring;

import dev.vigil.event.CannotExplainException;
import dev.vigil.event.CannotExplainException.Kind;
import dev.vigil.event.EventTimes;
import dev.vigil.event.SourcePosition;
import dev.vigil.scoring.state.AccountView;
import dev.vigil.scoring.state.Block;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.EntityStates;
import dev.vigil.scoring.state.PastPolicies.Past;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.scoring.state.Timeline;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds an event that the state still holds, and takes with it what its explanation needs. On the task's thread. */
final class EventLookup {
    private final TaskState task;
    private final EntityStates entities;
    private final int partition;
    private final @Nullable Map<String, Long> completeSinceUs;

    EventLookup(TaskState task, EntityStates entities, int partition, @Nullable Map<String, Long> completeSinceUs) {
        this.task = task;
        this.entities = entities;
        this.partition = partition;
        this.completeSinceUs = completeSinceUs;
    }

    /** The event of that id; of one that was accepted twice, since it had been forgotten meanwhile, the later one. */
    ScoredBefore find(String account, String id, @Nullable String source) {
        EntityState state = entities.peek(account);
        Set<String> sources = new TreeSet<>();
        StoredEvent found = last(
                state.timeline(),
                event -> event.id().equals(id)
                        && (source == null || event.source().equals(source)),
                sources);
        if (sources.size() > 1) {
            throw new CannotExplainException(
                    Kind.AMBIGUOUS,
                    "account " + account + " has events " + id + " of several sources: " + String.join(", ", sources)
                            + "; name one");
        }
        return scored(state, found, "event " + id + (source == null ? "" : " of source " + source));
    }

    /** The event at an offset of the log. */
    ScoredBefore at(String account, long offset) {
        EntityState state = entities.peek(account);
        StoredEvent found = last(state.timeline(), event -> event.offset() == offset, new TreeSet<>());
        return scored(state, found, "event at offset " + offset);
    }

    private static @Nullable StoredEvent last(Timeline timeline, Predicate<StoredEvent> is, Set<String> sources) {
        StoredEvent last = null;
        for (Block block = timeline.first(); block != null; block = block.next()) {
            for (int i = 0; i < block.count(); i++) {
                StoredEvent event = block.event(i);
                if (is.test(event)) {
                    sources.add(event.source());
                    last = last == null || event.offset() > last.offset() ? event : last;
                }
            }
        }
        return last;
    }

    private ScoredBefore scored(EntityState state, @Nullable StoredEvent event, String which) {
        String account = state.entity();
        if (event == null && state.timeline().size() == 0) {
            throw new CannotExplainException(Kind.UNKNOWN, "nothing is remembered of account " + account + forgotten());
        }
        if (event == null) {
            throw new CannotExplainException(
                    Kind.UNKNOWN,
                    "account " + account + " has no " + which
                            + " that is remembered: it may have been late or refused, and never scored" + forgotten());
        }
        Past policy = task.pastPolicies().at(event.offset());
        if (policy == null) {
            throw new CannotExplainException(
                    Kind.POLICY_GONE,
                    which + " was scored by a policy that is not kept any more; its scored record is in the history");
        }
        return new ScoredBefore(
                new AccountView(state, task.layouts(), event, policy.lookBackUs()),
                new SourcePosition(task.topicId(), partition, event.offset()),
                policy.text(),
                task.forgottenUs(),
                task.pastPolicies().isActive(policy) ? completeSinceUs : policy.completeSinceUs());
    }

    private String forgotten() {
        return task.forgottenUs() == Long.MIN_VALUE
                ? ""
                : "; events up to " + EventTimes.format(task.forgottenUs()) + " may have been forgotten";
    }
}
