package dev.vigil.scoring.window;

import dev.vigil.scoring.state.EntityState;
import org.jspecify.annotations.Nullable;

/**
 * Where one part of a plan keeps what it derived from an account's timeline, to be derived again whenever it is not there.
 *
 * @param index from 0, another one for each part of the plan
 * @param count of the plan's parts
 */
record AccountSlot(int index, int count) {
    /** Up to this many events, looking at each is cheaper than what could be kept. */
    static final int FEW = 32;

    @Nullable
    Object get(EntityState state) {
        @Nullable Object[] all = (@Nullable Object[]) state.derived();
        return all == null ? null : all[index];
    }

    void set(EntityState state, Object derived) {
        @Nullable Object[] all = (@Nullable Object[]) state.derived();
        if (all == null) {
            all = new Object[count];
            state.setDerived(all);
        }
        all[index] = derived;
    }
}
