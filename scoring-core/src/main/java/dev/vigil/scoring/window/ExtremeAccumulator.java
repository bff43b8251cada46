package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.Block;

/**
 * Largest or smallest value: a queue of the values that may still become it, each more extreme than all behind it
 * (monotonic queue; amortised constant time). Sliding back, those that a later one had driven out are looked up again.
 */
final class ExtremeAccumulator extends Accumulator {
    private final int slot;
    private final boolean real;
    private final int sign;
    private final int target;
    private final ValueQueue queue;
    private boolean shortened;

    /** @param largest false: smallest */
    ExtremeAccumulator(int slot, FieldType type, boolean largest, int target) {
        this.slot = slot;
        this.real = type == FieldType.DOUBLE;
        this.sign = largest ? 1 : -1;
        this.target = target;
        this.queue = new ValueQueue(slot, false);
    }

    @Override
    void reset() {
        queue.clear();
        shortened = false;
    }

    @Override
    void add(Block block, int index) {
        if (!block.hasNumber(index, slot)) {
            return;
        }
        long value = block.number(index, slot);
        while (queue.size() > 0 && !isMore(queue.latestNumber(), value)) {
            queue.removeLast();
        }
        queue.addLast(block, index);
    }

    @Override
    void remove(Block block, int index) {
        if (queue.beginsWith(block, index)) {
            queue.removeFirst();
        }
    }

    @Override
    void addEarliest(Block block, int index) {
        if (block.hasNumber(index, slot) && (queue.size() == 0 || isMore(block.number(index, slot), queue.number(0)))) {
            queue.addFirst(block, index);
        }
    }

    @Override
    void removeLatest(Block block, int index) {
        if (queue.endsWith(block, index)) {
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
        int known = queue.size();
        window.toEnd();
        while (window.previous()) {
            Block block = window.block();
            int index = window.index();
            if (known > 0 && queue.isAt(known - 1, block, index)) {
                break;
            }
            if (block.hasNumber(index, slot)
                    && (queue.size() == known || isMore(block.number(index, slot), queue.latestNumber()))) {
                queue.addLast(block, index);
            }
        }
        queue.reverseLast(queue.size() - known);
    }

    @Override
    void writeTo(Frame frame) {
        if (queue.size() == 0) {
            frame.setAbsent(target);
        } else {
            frame.setNumber(target, queue.number(0));
        }
    }

    private boolean isMore(long a, long b) {
        int order = real ? Double.compare(Double.longBitsToDouble(a), Double.longBitsToDouble(b)) : Long.compare(a, b);
        return order * sign > 0;
    }
}
