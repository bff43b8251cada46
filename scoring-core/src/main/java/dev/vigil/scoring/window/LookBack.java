package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.policy.Aggregate;
import dev.vigil.scoring.state.Block;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.Timeline;
import org.jspecify.annotations.Nullable;

/** A feature that needs a single event of its window: first, last, n-th last, time since, speed. One thread. */
public final class LookBack {
    private static final double US_PER_SECOND = 1_000_000.0;

    private final Aggregate aggregate;
    private final WindowBounds bounds;
    private final EventFilter filter;
    private final int field;
    private final int nth;
    private final int slot;
    private final @Nullable GeoSpeed places;

    /** @param field index of the field in the filter's layout; -1 where the aggregate looks at events */
    LookBack(Aggregate aggregate, WindowBounds bounds, EventFilter filter, int field, int nth, int slot) {
        this.aggregate = aggregate;
        this.bounds = bounds;
        this.filter = filter;
        this.field = field;
        this.nth = nth;
        this.slot = slot;
        this.places = aggregate == Aggregate.GEO_SPEED ? new GeoSpeed(filter.layout()) : null;
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
        StoredEvent without = bounds.prior() ? event : null;
        switch (aggregate) {
            case FIRST -> copyField(first(state.timeline(), start, end, without), frame);
            case LAST -> copyField(last(state.timeline(), start, end, without, 1), frame);
            case NTH_LAST -> copyField(last(state.timeline(), start, end, without, nth), frame);
            case ELAPSED_SINCE -> {
                StoredEvent previous = last(state.timeline(), start, end, without, 1);
                if (previous != null) {
                    frame.setDouble(slot, (event.timeUs() - previous.timeUs()) / US_PER_SECOND);
                }
            }
            case SINCE_NEWEST -> {
                StoredEvent newest = newest(state.timeline(), start, event.offset());
                if (newest != null) {
                    frame.setDouble(slot, Math.max(0, event.timeUs() - newest.timeUs()) / US_PER_SECOND);
                }
            }
            case GEO_SPEED -> {
                if (filter.accepts(event) && requirePlaces().hasPlace(event)) {
                    StoredEvent previous = last(state.timeline(), start, end, without, 1);
                    if (previous != null) {
                        frame.setDouble(slot, requirePlaces().kmPerHour(previous, event));
                    }
                }
            }
            default -> throw new IllegalStateException("no single event for " + aggregate);
        }
    }

    /** Of a first, last or n-th last value: over (fromUs, toUs], whatever the own window. */
    public void evaluateOver(EntityState state, long fromUs, long toUs, Frame frame) {
        frame.setAbsent(slot);
        Timeline timeline = state.timeline();
        copyField(
                aggregate == Aggregate.FIRST
                        ? first(timeline, fromUs, toUs, null)
                        : last(timeline, fromUs, toUs, null, aggregate == Aggregate.NTH_LAST ? nth : 1),
                frame);
    }

    /** Of the events that came before the offset in the log, whenever they were. */
    private @Nullable StoredEvent newest(Timeline timeline, long start, long beforeOffset) {
        for (Block block = timeline.last(); block != null; block = block.previous()) {
            for (int i = block.count() - 1; i >= 0; i--) {
                StoredEvent event = block.event(i);
                if (event.timeUs() <= start) {
                    return null;
                }
                if (event.offset() < beforeOffset && takes(event)) {
                    return event;
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

    private @Nullable StoredEvent last(
            Timeline timeline, long start, long end, @Nullable StoredEvent without, int back) {
        int found = 0;
        for (Block block = timeline.last(); block != null; block = block.previous()) {
            for (int i = block.count() - 1; i >= 0; i--) {
                if (block.timeUs(i) <= start) {
                    return null;
                }
                StoredEvent event = block.event(i);
                if (block.timeUs(i) <= end && event != without && takes(event) && ++found == back) {
                    return event;
                }
            }
        }
        return null;
    }

    private @Nullable StoredEvent first(Timeline timeline, long start, long end, @Nullable StoredEvent without) {
        for (Block block = WindowGroup.firstBlockAfter(timeline, start); block != null; block = block.next()) {
            for (int i = 0; i < block.count(); i++) {
                StoredEvent event = block.event(i);
                if (event.timeUs() > end) {
                    return null;
                }
                if (event.timeUs() > start && event != without && takes(event)) {
                    return event;
                }
            }
        }
        return null;
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
