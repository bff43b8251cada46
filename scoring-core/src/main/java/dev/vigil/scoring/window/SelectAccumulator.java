package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.StoredEvent;

/**
 * Value of one event of the window, counted from one of its ends: a queue of all that have the field, so that it is found
 * at once however rare these are and however long the window is.
 */
final class SelectAccumulator extends Accumulator {
    private final int slot;
    private final boolean isText;
    private final int nthLast;
    private final EventQueue queue = new EventQueue();

    private SelectAccumulator(int slot, FieldType type, int nthLast) {
        this.slot = slot;
        this.isText = type == FieldType.STRING;
        this.nthLast = nthLast;
    }

    static SelectAccumulator first(int slot, FieldType type) {
        return new SelectAccumulator(slot, type, 0);
    }

    /** @param n 1 for the last */
    static SelectAccumulator nthLast(int slot, FieldType type, int n) {
        return new SelectAccumulator(slot, type, n);
    }

    private boolean takes(StoredEvent event) {
        return isText ? event.text(slot) != null : event.hasNumber(slot);
    }

    @Override
    void reset() {
        queue.clear();
    }

    @Override
    void add(StoredEvent event) {
        if (takes(event)) {
            queue.addLast(event);
        }
    }

    @Override
    void remove(StoredEvent event) {
        if (queue.beginsWith(event)) {
            queue.removeFirst();
        }
    }

    @Override
    void addEarliest(StoredEvent event) {
        if (takes(event)) {
            queue.addFirst(event);
        }
    }

    @Override
    void removeLatest(StoredEvent event) {
        if (queue.endsWith(event)) {
            queue.removeLast();
        }
    }

    @Override
    void writeTo(Frame frame, int target) {
        int position = nthLast == 0 ? 0 : queue.size() - nthLast;
        if (position < 0 || position >= queue.size()) {
            frame.setAbsent(target);
            return;
        }
        String text = isText ? queue.at(position).text(slot) : null;
        if (text != null) {
            frame.setText(target, text);
        } else {
            frame.setNumber(target, queue.at(position).number(slot));
        }
    }
}
