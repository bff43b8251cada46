package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.policy.Aggregate;
import dev.vigil.scoring.state.Block;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * A feature that needs a single event of its window, and that is mostly the latest one of the account: last, time since,
 * speed. The latest is known, so nothing is looked for unless an event comes out of order, or is scored again. One thread.
 */
public final class LookBack {
    /** The offset of no event. */
    private static final long NONE = -1;

    private static final double US_PER_SECOND = 1_000_000.0;

    private final Aggregate aggregate;
    private final AccountSlot account;
    private final WindowBounds bounds;
    private final EventFilter filter;
    private final int field;
    private final int slot;
    private final @Nullable GeoSpeed places;

    /** @param field index of the field in the filter's layout; -1 where the aggregate looks at events */
    LookBack(Aggregate aggregate, AccountSlot account, WindowBounds bounds, EventFilter filter, int field, int slot) {
        this.aggregate = aggregate;
        this.account = account;
        this.bounds = bounds;
        this.filter = filter;
        this.field = field;
        this.slot = slot;
        this.places = aggregate == Aggregate.GEO_SPEED ? new GeoSpeed(filter.layout()) : null;
    }

    /** The latest event that counts, of an account with more than a few events. */
    private static final class Latest {
        private @Nullable StoredEvent event;

        /** Null if there is none, or not any more. */
        @Nullable
        StoredEvent in(Timeline timeline) {
            if (event != null && timeline.hasForgotten(event)) {
                event = null;
            }
            return event;
        }
    }

    private GeoSpeed requirePlaces() {
        return java.util.Objects.requireNonNull(places);
    }

    public boolean isPrior() {
        return bounds.prior();
    }

    /** As {@link WindowGroup#evaluate}; {@code event} need not be in the timeline. */
    public void evaluate(EntityState state, StoredEvent event, Frame frame) {
        frame.setAbsent(slot);
        long start = bounds.startUs(event.timeUs());
        long end = bounds.endUs(event.timeUs());
        long without = bounds.prior() ? event.offset() : NONE;
        switch (aggregate) {
            case LAST -> copyField(last(state, start, end, without), frame);
            case ELAPSED_SINCE -> {
                StoredEvent previous = last(state, start, end, without);
                if (previous != null) {
                    frame.setDouble(slot, (event.timeUs() - previous.timeUs()) / US_PER_SECOND);
                }
            }
            case SINCE_NEWEST -> {
                StoredEvent newest = newest(state, start, event.offset());
                if (newest != null) {
                    frame.setDouble(slot, Math.max(0, event.timeUs() - newest.timeUs()) / US_PER_SECOND);
                }
            }
            case GEO_SPEED -> {
                if (filter.accepts(event) && requirePlaces().hasPlace(event)) {
                    StoredEvent previous = last(state, start, end, without);
                    if (previous != null) {
                        frame.setDouble(slot, requirePlaces().kmPerHour(previous, event));
                    }
                }
            }
            default -> throw new IllegalStateException("no single event for " + aggregate);
        }
    }

    /** Of a last value: over (fromUs, toUs], whatever the own window. */
    public void evaluateOver(EntityState state, long fromUs, long toUs, Frame frame) {
        frame.setAbsent(slot);
        copyField(search(state.timeline(), fromUs, toUs, NONE), frame);
    }

    /** To be told of every event that is about to enter the account's timeline, once a prior window was evaluated. */
    public void enters(EntityState state, StoredEvent event) {
        Latest latest = (Latest) account.get(state);
        if (latest == null) {
            return;
        }
        StoredEvent before = latest.in(state.timeline());
        if ((before == null || before.timeUs() <= event.timeUs()) && takes(event)) {
            latest.event = event;
        }
    }

    /** Null for an account that has few events. */
    private @Nullable Latest latest(EntityState state) {
        Latest latest = (Latest) account.get(state);
        if (latest == null && state.timeline().size() > AccountSlot.FEW) {
            latest = new Latest();
            latest.event = search(state.timeline(), Long.MIN_VALUE, Long.MAX_VALUE, NONE);
            account.set(state, latest);
        }
        return latest;
    }

    private @Nullable StoredEvent last(EntityState state, long start, long end, long without) {
        Timeline timeline = state.timeline();
        Latest latest = latest(state);
        if (latest != null) {
            StoredEvent event = latest.in(timeline);
            if (event == null || event.timeUs() <= start) {
                return null;
            }
            if (event.timeUs() <= end && event.offset() != without) {
                return event;
            }
        }
        return search(timeline, start, end, without);
    }

    private @Nullable StoredEvent search(Timeline timeline, long start, long end, long without) {
        for (Block block = timeline.last(); block != null; block = block.previous()) {
            for (int i = block.firstAfter(end) - 1; i >= 0; i--) {
                if (block.timeUs(i) <= start) {
                    return null;
                }
                if (block.offset(i) != without && filter.accepts(block, i)) {
                    StoredEvent event = block.event(i);
                    if (takes(event)) {
                        return event;
                    }
                }
            }
        }
        return null;
    }

    /** Of the events that came before the offset in the log, whenever they were. */
    private @Nullable StoredEvent newest(EntityState state, long start, long beforeOffset) {
        Timeline timeline = state.timeline();
        Latest latest = latest(state);
        if (latest != null) {
            StoredEvent event = latest.in(timeline);
            if (event == null || event.timeUs() <= start) {
                return null;
            }
            if (event.offset() < beforeOffset) {
                return event;
            }
        }
        for (Block block = timeline.last(); block != null; block = block.previous()) {
            for (int i = block.count() - 1; i >= 0; i--) {
                if (block.timeUs(i) <= start) {
                    return null;
                }
                if (block.offset(i) < beforeOffset && filter.accepts(block, i)) {
                    StoredEvent event = block.event(i);
                    if (takes(event)) {
                        return event;
                    }
                }
            }
        }
        return null;
    }

    private boolean takes(StoredEvent event) {
        if (!filter.accepts(event)) {
            return false;
        }
        if (aggregate == Aggregate.GEO_SPEED) {
            return requirePlaces().hasPlace(event);
        }
        if (field < 0) {
            return true;
        }
        int fieldSlot = filter.layout().slot(field);
        return filter.layout().type(field) == FieldType.STRING
                ? event.text(fieldSlot) != null
                : event.hasNumber(fieldSlot);
    }

    private void copyField(@Nullable StoredEvent event, Frame frame) {
        if (event == null) {
            return;
        }
        int fieldSlot = filter.layout().slot(field);
        if (filter.layout().type(field) == FieldType.STRING) {
            String text = event.text(fieldSlot);
            if (text != null) {
                frame.setText(slot, text);
            }
        } else {
            frame.setNumber(slot, event.number(fieldSlot));
        }
    }
}
