package dev.vigil.scoring.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalLong;

/**
 * The accounts of one task: those in use as live objects, the others in the store. One thread.
 *
 * <p>Accounts that changed are encoded once per step however many of their events the step holds. An account may leave
 * memory only when the store has what was last encoded of it, since it would otherwise be read back as it was before.
 */
public final class EntityStates {
    /** So that no step pays for a walk round all accounts; what is too much meanwhile is what one step adds. */
    private static final int LOOKS_PER_STEP = 4_096;

    /** As many events as an account needs memory beside its events. */
    static final long EVENTS_PER_ACCOUNT = 8;

    private final StateStore store;
    private final EntityCodec codec;
    private final StateKeys keys = new StateKeys();
    private final LinkedHashMap<String, EntityState> live = new LinkedHashMap<>(1024);
    private final List<EntityState> changed = new ArrayList<>();
    private final Deque<EntityState> emptied = new ArrayDeque<>();
    private final long maxLiveEvents;
    private long liveEvents;

    /**
     * @param maxLiveEvents how many events may stay in memory, an account counting as eight more; the accounts that were not
     *     used for long leave first. 0: no account stays, not even those of the last step
     */
    public EntityStates(StateStore store, LayoutRegistry layouts, long maxLiveEvents) {
        this.store = store;
        this.codec = new EntityCodec(layouts);
        this.maxLiveEvents = maxLiveEvents;
    }

    /** The account's state, empty if it is new. */
    public EntityState get(String entity) {
        EntityState state = live.get(entity);
        if (state == null) {
            state = load(entity);
            live.put(entity, state);
            liveEvents += state.recount();
        } else {
            state.use();
        }
        return state;
    }

    /** The account's state to look at; one that is not in memory stays out of it. */
    public EntityState peek(String entity) {
        EntityState state = live.get(entity);
        return state == null ? load(entity) : state;
    }

    private EntityState load(String entity) {
        byte[] head = store.get(keys.head(entity));
        if (head == null) {
            return new EntityState(entity, new Timeline(0));
        }
        return codec.decode(entity, head, blockId -> store.get(keys.block(entity, blockId)));
    }

    /** To be called for every account whose state was changed, before the step ends. */
    public void changed(EntityState state) {
        if (!state.isDirty()) {
            state.markDirty();
            changed.add(state);
        }
    }

    /**
     * Time of an account's latest event, µs. An account that is not in memory stays out of it, since those that are asked
     * for by their timers are those that were not used for long.
     */
    public OptionalLong latestUs(String entity) {
        EntityState state = live.get(entity);
        if (state != null) {
            Timeline timeline = state.timeline();
            return timeline.size() == 0 ? OptionalLong.empty() : OptionalLong.of(timeline.latestUs());
        }
        byte[] head = store.get(keys.head(entity));
        return head == null
                ? OptionalLong.empty()
                : codec.latestUs(head, blockId -> store.get(keys.block(entity, blockId)));
    }

    /**
     * Lets go of an account's blocks that lie wholly at or before the horizon, so many at most. With no event left, and no
     * reference row, it leaves memory and store.
     */
    public void forgetEvents(EntityState state, long horizonUs, int maxBlocks) {
        changed(state);
        state.forgetEvents(horizonUs, maxBlocks);
        if (state.isEmpty()) {
            emptied.add(state);
        }
    }

    /** Adds what changed in this step to the batch. */
    public void collect(StateBatch batch, long step) {
        for (EntityState state : changed) {
            for (long blockId : state.timeline().drainRemovedBlockIds()) {
                batch.delete(keys.block(state.entity(), blockId));
            }
            for (Block block : state.timeline().drainChangedBlocks()) {
                batch.put(keys.block(state.entity(), block.id), codec.encodeBlock(block));
            }
            boolean headChanged = state.drainHeadChanged();
            if (headChanged && state.isEmpty()) {
                batch.delete(keys.head(state.entity()));
            } else if (headChanged) {
                batch.put(keys.head(state.entity()), codec.encodeHead(state));
            }
            state.markWritten(step);
            liveEvents += state.recount();
        }
        changed.clear();
    }

    /**
     * Lets accounts leave memory, those first that were not used for long: in a circle, each that was used since it was
     * looked at last stays for another round. Those of the step that was written last stay: an account with more events
     * than there is room for would else be read back in each step.
     *
     * @param writtenStep the last one that the store has
     */
    public void trim(long writtenStep) {
        dropEmptied(writtenStep);
        long keptFrom = maxLiveEvents == 0 ? writtenStep + 1 : writtenStep;
        for (int left = Math.min(live.size(), LOOKS_PER_STEP); left > 0 && liveEvents > maxLiveEvents; left--) {
            EntityState state = live.values().iterator().next();
            live.remove(state.entity());
            if (state.drainUsed() && maxLiveEvents > 0 || state.isDirty() || state.lastStep() >= keptFrom) {
                live.put(state.entity(), state);
            } else {
                liveEvents -= state.counted();
            }
        }
    }

    private void dropEmptied(long writtenStep) {
        for (EntityState state = emptied.peek(); state != null; state = emptied.peek()) {
            if (state.isEmpty()) {
                if (state.isDirty() || state.lastStep() > writtenStep) {
                    return;
                }
                if (live.remove(state.entity(), state)) {
                    liveEvents -= state.counted();
                }
            }
            emptied.remove();
        }
    }

    /** Moves what is live into the layouts that are current now, as reading it from the store would. */
    public void moveToCurrentLayouts(LayoutRegistry layouts) {
        live.values().forEach(state -> state.moveToCurrentLayouts(layouts));
    }
}
