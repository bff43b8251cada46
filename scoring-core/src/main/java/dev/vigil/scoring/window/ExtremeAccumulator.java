package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.StoredEvent;
import java.util.Arrays;

/**
 * Largest or smallest value: a queue of the events that may still become it, each more extreme than all behind it
 * (monotonic queue; amortised constant time). Sliding back, those that a later one had driven out are looked up again.
 */
final class ExtremeAccumulator extends Accumulator {
    private final int slot;
    private final boolean real;
    private final int sign;
    private StoredEvent[] queue = new StoredEvent[8];
    private int head;
    private int length;
    private boolean shortened;

    /** @param largest false: smallest */
    ExtremeAccumulator(int slot, FieldType type, boolean largest) {
        this.slot = slot;
        this.real = type == FieldType.DOUBLE;
        this.sign = largest ? 1 : -1;
    }

    @Override
    void reset() {
        Arrays.fill(queue, null);
        head = 0;
        length = 0;
        shortened = false;
    }

    @Override
    void add(StoredEvent event) {
        if (!event.hasNumber(slot)) {
            return;
        }
        while (length > 0 && compare(event, at(length - 1)) * sign >= 0) {
            queue[index(length - 1)] = null;
            length--;
        }
        if (length == queue.length) {
            grow();
        }
        queue[index(length)] = event;
        length++;
    }

    @Override
    void remove(StoredEvent event) {
        if (length > 0 && at(0) == event) {
            queue[head] = null;
            head = index(1);
            length--;
        }
    }

    @Override
    void addEarliest(StoredEvent event) {
        if (event.hasNumber(slot) && (length == 0 || compare(event, at(0)) * sign > 0)) {
            if (length == queue.length) {
                grow();
            }
            head = index(-1);
            queue[head] = event;
            length++;
        }
    }

    @Override
    void removeLatest(StoredEvent event) {
        if (length > 0 && at(length - 1) == event) {
            length--;
            queue[index(length)] = null;
            shortened = true;
        }
    }

    @Override
    void refill(WindowCursor.Span window) {
        if (!shortened) {
            return;
        }
        shortened = false;
        StoredEvent known = length == 0 ? null : at(length - 1);
        StoredEvent latestBack = null;
        int back = 0;
        window.toEnd();
        for (StoredEvent event = window.previous(); event != null && event != known; event = window.previous()) {
            if (event.hasNumber(slot) && (latestBack == null || compare(event, latestBack) * sign > 0)) {
                if (length == queue.length) {
                    grow();
                }
                queue[index(length)] = event;
                length++;
                back++;
                latestBack = event;
            }
        }
        reverse(length - back, length - 1);
    }

    private void reverse(int from, int to) {
        for (int low = from, high = to; low < high; low++, high--) {
            StoredEvent event = at(low);
            queue[index(low)] = at(high);
            queue[index(high)] = event;
        }
    }

    @Override
    void writeTo(Frame frame, int target) {
        if (length == 0) {
            frame.setAbsent(target);
        } else {
            frame.setNumber(target, at(0).number(slot));
        }
    }

    private int compare(StoredEvent a, StoredEvent b) {
        return real
                ? Double.compare(a.doubleValue(slot), b.doubleValue(slot))
                : Long.compare(a.number(slot), b.number(slot));
    }

    private StoredEvent at(int position) {
        return queue[index(position)];
    }

    private int index(int position) {
        return (head + position) & (queue.length - 1);
    }

    private void grow() {
        StoredEvent[] larger = new StoredEvent[queue.length * 2];
        for (int i = 0; i < length; i++) {
            larger[i] = at(i);
        }
        queue = larger;
        head = 0;
    }
}
