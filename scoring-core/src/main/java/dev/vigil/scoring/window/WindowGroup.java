package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.Block;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.Timeline;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The aggregates that look at the same events of the same window, so that these are visited once. One thread. */
public final class WindowGroup {
    /** The offset of no event. */
    private static final long NONE = -1;

    private final AccountSlot account;
    private final WindowBounds bounds;
    private final EventFilter filter;
    private final List<Supplier<Accumulator>> kinds;
    private final Accumulator[] scratch;
    private final boolean looksAtLabels;

    WindowGroup(AccountSlot account, WindowBounds bounds, EventFilter filter, List<Supplier<Accumulator>> kinds) {
        this.account = account;
        this.bounds = bounds;
        this.filter = filter;
        this.kinds = List.copyOf(kinds);
        this.scratch = newAccumulators();
        this.looksAtLabels = Arrays.stream(scratch).anyMatch(Accumulator::looksAtLabels);
    }

    public boolean isPrior() {
        return bounds.prior();
    }

    /**
     * Puts the aggregates as of an event's time into their slots; for a prior window before the event is inserted, else
     * after.
     */
    public void evaluate(EntityState state, long timeUs, Frame frame) {
        write(over(state, bounds.startUs(timeUs), bounds.endUs(timeUs)), frame);
    }

    /** Likewise for an event that is in the timeline, whether the window is prior or not. */
    public void evaluateAgain(EntityState state, StoredEvent event, Frame frame) {
        Timeline timeline = state.timeline();
        long start = bounds.startUs(event.timeUs());
        long end = bounds.endUs(event.timeUs());
        if (!bounds.prior() || end < event.timeUs()) {
            write(over(state, start, end), frame);
        } else if (timeline.isAloneAt(event.timeUs())) {
            write(over(state, start, end - 1), frame);
        } else {
            write(scan(timeline, start, end, event.offset()), frame);
        }
    }

    /** Puts the aggregates over (fromUs, toUs] into their slots, whatever this group's own window. */
    public void evaluateOver(EntityState state, long fromUs, long toUs, Frame frame) {
        write(scan(state.timeline(), fromUs, toUs, NONE), frame);
    }

    private Accumulator[] over(EntityState state, long startUs, long endUs) {
        WindowCursor cursor = cursor(state);
        return cursor == null
                ? scan(state.timeline(), startUs, endUs, NONE)
                : cursor.moveTo(state.timeline(), startUs, endUs);
    }

    private void write(Accumulator[] accumulators, Frame frame) {
        for (Accumulator accumulator : accumulators) {
            accumulator.writeTo(frame);
        }
    }

    /** Prepares for the insertion of an event that others are later than. */
    public void makeWay(EntityState state, long timeUs) {
        WindowCursor cursor = cursor(state);
        if (cursor != null) {
            cursor.moveTo(state.timeline(), bounds.startUs(timeUs), bounds.endUs(timeUs));
        }
    }

    private Accumulator[] scan(Timeline timeline, long start, long end, long without) {
        for (Accumulator accumulator : scratch) {
            accumulator.reset();
        }
        for (Block block = firstBlockAfter(timeline, start); block != null; block = block.next()) {
            for (int i = 0; i < block.count(); i++) {
                if (block.timeUs(i) > end) {
                    return scratch;
                }
                if (block.timeUs(i) > start && block.offset(i) != without && filter.accepts(block, i)) {
                    for (Accumulator accumulator : scratch) {
                        accumulator.add(block, i);
                    }
                }
            }
        }
        return scratch;
    }

    /** The first block with an event later than the time; null if there is none. */
    static @Nullable Block firstBlockAfter(Timeline timeline, long timeUs) {
        Block found = null;
        for (Block block = timeline.last(); block != null; block = block.previous()) {
            if (block.timeUs(block.count() - 1) <= timeUs) {
                break;
            }
            found = block;
        }
        return found;
    }

    /** Null where looking at each event is cheaper. A window that slides once goes on so, to be there for insertions. */
    private @Nullable WindowCursor cursor(EntityState state) {
        WindowCursor cursor = (WindowCursor) account.get(state);
        if (cursor == null && state.timeline().size() > AccountSlot.FEW) {
            cursor = new WindowCursor(filter, newAccumulators(), looksAtLabels);
            account.set(state, cursor);
        }
        return cursor;
    }

    private Accumulator[] newAccumulators() {
        Accumulator[] made = new Accumulator[kinds.size()];
        for (int i = 0; i < made.length; i++) {
            made[i] = kinds.get(i).get();
        }
        return made;
    }
}
