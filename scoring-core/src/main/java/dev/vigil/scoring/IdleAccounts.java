package dev.vigil.scoring;

import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.EntityStates;
import dev.vigil.scoring.state.StateBatch;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.TimerIndex;
import dev.vigil.scoring.state.TimerIndex.Timer;

/**
 * Lets the events of accounts leave that had none for so long that all of theirs are forgotten. One thread.
 *
 * <p>An account with events has exactly one timer, set by its first event to that event's time. When the horizon has
 * passed a timer, the account either leaves or gets another one, at the time of its latest event. So a timer is written
 * once per account and horizon's length, not with every event.
 */
final class IdleAccounts {
    /** An account with many events leaves in pieces, so that no record pays for all of it. */
    private static final int BLOCKS_PER_TIMER = 64;

    private final EntityStates entities;
    private final TimerIndex timers;

    IdleAccounts(EntityStates entities, TimerIndex timers) {
        this.entities = entities;
        this.timers = timers;
    }

    /** An event is about to enter the account's timeline, from which nothing was pruned for it yet. */
    void enters(EntityState state, StoredEvent event) {
        if (state.timeline().size() == 0) {
            timers.set(event.timeUs(), "", state.entity());
        }
    }

    /**
     * Lets accounts leave whose events all lie at or before the horizon, the longest idle ones first.
     *
     * @param maxTimers how many may be looked at; the others follow with later records
     */
    void leave(long horizonUs, int maxTimers) {
        for (int i = 0; i < maxTimers && timers.nextUs() <= horizonUs; i++) {
            Timer timer = timers.takeNext();
            long latestUs = entities.latestUs(timer.entity())
                    .orElseThrow(() -> new IllegalStateException(
                            "a timer at " + timer.timeUs() + " for an account without events"));
            if (latestUs > horizonUs || !forgetSome(entities.get(timer.entity()), horizonUs)) {
                timers.set(latestUs, "", timer.entity());
            }
        }
    }

    /** False if more are left, for which another timer has to come. */
    private boolean forgetSome(EntityState state, long horizonUs) {
        entities.forgetEvents(state, horizonUs, BLOCKS_PER_TIMER);
        return state.timeline().size() == 0;
    }

    boolean isDue(long horizonUs) {
        return timers.nextUs() <= horizonUs;
    }

    void collect(StateBatch batch) {
        timers.collect(batch);
    }

    void written() {
        timers.written();
    }
}
