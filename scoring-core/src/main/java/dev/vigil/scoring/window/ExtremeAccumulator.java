package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.StoredEvent;

/**
 * Largest or smallest value: a queue of the events that may still become it, each more extreme than all behind it
 * (monotonic queue; amortised constant time). Sliding back, those that a later one had driven out are looked up again.
 */
final class ExtremeAccumulator extends Accumulator {
    private final int slot;
    private final boolean real;
    private final int sign;
    private final EventQueue queue = new EventQueue();
    private boolean shortened;

    /** @param largest false: smallest */
    ExtremeAccumulator(int slot, FieldType type, boolean largest) {
        this.slot = slot;
        this.real = type == FieldType.DOUBLE;
        this.sign = largest ? 1 : -1;
    }

    @Override
    void reset() {
        queue.clear();
        shortened = false;
    }

    @Override
    void add(StoredEvent event) {
        if (!event.hasNumber(slot)) {
            return;
        }
        while (queue.size() > 0 && compare(event, queue.at(queue.size() - 1)) * sign >= 0) {
            queue.removeLast();
        }
        queue.addLast(event);
    }

    @Override
    void remove(StoredEvent event) {
        if (queue.beginsWith(event)) {
            queue.removeFirst();
        }
    }

    @Override
    void addEarliest(StoredEvent event) {
        if (event.hasNumber(slot) && (queue.size() == 0 || compare(event, queue.at(0)) * sign > 0)) {
            queue.addFirst(event);
        }
    }

    @Override
    void removeLatest(StoredEvent event) {
        if (queue.endsWith(event)) {
            queue.removeLast();
            shortened = true;
        }
    }

    @Override
    void refill(WindowCursor.Span window) {
        if (!shortened) {
            return;
        }
        shortened = false;
        StoredEvent known = queue.size() == 0 ? null : queue.at(queue.size() - 1);
        StoredEvent latestBack = null;
        int back = 0;
        window.toEnd();
        for (StoredEvent event = window.previous(); event != null && event != known; event = window.previous()) {
            if (event.hasNumber(slot) && (latestBack == null || compare(event, latestBack) * sign > 0)) {
                queue.addLast(event);
                back++;
                latestBack = event;
            }
        }
        queue.reverseLast(back);
    }

    @Override
    void writeTo(Frame frame, int target) {
        if (queue.size() == 0) {
            frame.setAbsent(target);
        } else {
            frame.setNumber(target, queue.at(0).number(slot));
        }
    }

    private int compare(StoredEvent a, StoredEvent b) {
        return real
                ? Double.compare(a.doubleValue(slot), b.doubleValue(slot))
                : Long.compare(a.number(slot), b.number(slot));
    }
}
