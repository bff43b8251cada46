package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.Block;

/**
 * Value of one event of the window, counted from one of its ends: a queue of all that have the field, so that it is found
 * at once however rare these are and however long the window is.
 */
final class SelectAccumulator extends Accumulator {
    private final boolean isText;
    private final int nthLast;
    private final int target;
    private final ValueQueue queue;

    private SelectAccumulator(int slot, FieldType type, int nthLast, int target) {
        this.isText = type == FieldType.STRING;
        this.nthLast = nthLast;
        this.target = target;
        this.queue = new ValueQueue(slot, isText);
    }

    static SelectAccumulator first(int slot, FieldType type, int target) {
        return new SelectAccumulator(slot, type, 0, target);
    }

    /** @param n 1 for the last */
    static SelectAccumulator nthLast(int slot, FieldType type, int n, int target) {
        return new SelectAccumulator(slot, type, n, target);
    }

    @Override
    void reset() {
        queue.clear();
    }

    @Override
    void add(Block block, int index) {
        if (queue.takes(block, index)) {
            queue.addLast(block, index);
        }
    }

    @Override
    void remove(Block block, int index) {
        if (queue.beginsWith(block, index)) {
            queue.removeFirst();
        }
    }

    @Override
    void addEarliest(Block block, int index) {
        if (queue.takes(block, index)) {
            queue.addFirst(block, index);
        }
    }

    @Override
    void removeLatest(Block block, int index) {
        if (queue.endsWith(block, index)) {
            queue.removeLast();
        }
    }

    @Override
    void writeTo(Frame frame) {
        int position = nthLast == 0 ? 0 : queue.size() - nthLast;
        if (position < 0 || position >= queue.size()) {
            frame.setAbsent(target);
        } else if (isText) {
            frame.setText(target, queue.text(position));
        } else {
            frame.setNumber(target, queue.number(position));
        }
    }
}
