package dev.vigil.scoring;

import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.EntityStates;
import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.scoring.state.TimerIndex;
import dev.vigil.scoring.state.TimerIndex.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Results of tumbling windows: told when the watermark passes the window's end, told again when an event enters that window
 * later. One thread.
 *
 * <p>A window of an account gets its timer with the account's first event in it, so other events write nothing. A window
 * is told as long as nobody has forgotten any of it: blocks that a timer still waits for do not leave, and events from
 * before the horizon, which only backfill brings, change no result.
 */
final class Summaries {
    private record Correction(SummaryPlan plan, long startUs) {}

    private final String topicId;
    private final int partition;
    private final TaskState task;
    private final EntityStates entities;
    private final TimerIndex timers;
    private final List<Correction> corrections = new ArrayList<>();
    private @Nullable ScoringPlan plan;
    private @Nullable SummaryEncoder encoder;
    private long longestUs;
    private long lastOffset = -1;
    private int index;

    Summaries(String topicId, int partition, TaskState task, EntityStates entities, TimerIndex timers) {
        this.topicId = topicId;
        this.partition = partition;
        this.task = task;
        this.entities = entities;
        this.timers = timers;
    }

    void use(ScoringPlan active) {
        plan = active;
        encoder = new SummaryEncoder(active.policy(), topicId, partition);
        longestUs = active.policy().longestSummaryUs();
    }

    /** An event is about to enter the account's timeline, and has moved the watermark already. */
    void enters(EntityState state, StoredEvent event) {
        List<SummaryPlan> summaries = requirePlan().summaries();
        for (int i = 0; i < summaries.size(); i++) { // in the path of every event
            SummaryPlan summary = summaries.get(i);
            summary.moveTo(event.timeUs());
            if (isTold(summary)) {
                if (!state.timeline().hasEventIn(summary.startUs(), summary.endUs())) {
                    timers.set(summary.endUs(), summary.name(), state.entity());
                } else if (summary.endUs() <= task.watermarkUs()
                        && !timers.isSet(summary.endUs(), summary.name(), state.entity())) {
                    corrections.add(new Correction(summary, summary.startUs()));
                }
            }
        }
    }

    private boolean isTold(SummaryPlan summary) {
        return summary.startUs() > task.summaryAfterUs(summary.name()) && summary.startUs() > task.forgottenUs();
    }

    /** The event has entered: tells the results again that it changed. */
    void emitCorrected(EntityState state, long offset, ScoringOutbox outbox) {
        if (corrections.isEmpty()) {
            return;
        }
        for (Correction correction : corrections) {
            correction.plan().moveTo(correction.startUs());
            emit(correction.plan(), state, offset, offset, outbox);
        }
        corrections.clear();
    }

    /**
     * Tells the results of windows that the watermark has passed, in order of their ends, then of summary and account.
     *
     * @param maxTimers how many at most for each summary; the others follow with later records
     */
    void emitDue(long offset, ScoringOutbox outbox, int maxTimers) {
        int most = maxTimers * Math.max(1, requirePlan().summaries().size());
        for (int i = 0; i < most && isDue(); i++) {
            Timer timer = timers.takeNext();
            SummaryPlan summary = find(timer.name());
            if (summary == null) {
                continue;
            }
            summary.moveTo(timer.timeUs() - 1);
            // Under an earlier policy the summary may have had other windows.
            if (summary.endUs() == timer.timeUs() && summary.startUs() > task.summaryAfterUs(summary.name())) {
                EntityState state = entities.get(timer.entity());
                if (state.timeline().hasEventIn(summary.startUs(), summary.endUs())) {
                    emit(summary, state, 0, offset, outbox);
                }
            }
        }
    }

    boolean isDue() {
        return task.watermarkUs() != TaskState.NO_WATERMARK && timers.nextUs() <= task.watermarkUs();
    }

    private ScoringPlan requirePlan() {
        return Objects.requireNonNull(plan);
    }

    private @Nullable SummaryPlan find(String name) {
        for (SummaryPlan summary : requirePlan().summaries()) {
            if (summary.name().equals(name)) {
                return summary;
            }
        }
        return null;
    }

    private void emit(SummaryPlan summary, EntityState state, long revision, long offset, ScoringOutbox outbox) {
        index = offset == lastOffset ? index + 1 : 0;
        lastOffset = offset;
        outbox.summary(
                state.entity(),
                Objects.requireNonNull(encoder)
                        .encode(summary, state.entity(), revision, offset, index, summary.evaluate(state)));
        task.countSummary();
    }

    /** Events at or before this time may leave: they are forgotten, and no window that waits to be told holds them. */
    long mayLeaveUs() {
        long nextUs = timers.nextUs();
        return nextUs == Long.MAX_VALUE ? task.forgottenUs() : Math.min(task.forgottenUs(), nextUs - longestUs - 1);
    }

    void collect(StateBatch batch) {
        timers.collect(batch);
    }

    void written() {
        timers.written();
    }
}
