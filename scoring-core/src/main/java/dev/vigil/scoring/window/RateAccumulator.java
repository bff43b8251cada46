package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.Block;

/** Share of events for which something is true. */
final class RateAccumulator extends Accumulator {
    interface Condition {
        boolean isTrue(Block block, int index);
    }

    private final Condition condition;
    private final boolean looksAtLabels;
    private final int target;
    private long count;
    private long trueCount;

    private RateAccumulator(Condition condition, boolean looksAtLabels, int target) {
        this.condition = condition;
        this.looksAtLabels = looksAtLabels;
        this.target = target;
    }

    static RateAccumulator ofLabel(String label, int target) {
        return new RateAccumulator((block, index) -> block.isLabelled(index, label), true, target);
    }

    /** @param slot of a bool field */
    static RateAccumulator ofField(int slot, int target) {
        return new RateAccumulator(
                (block, index) -> block.hasNumber(index, slot) && block.number(index, slot) != 0, false, target);
    }

    @Override
    boolean looksAtLabels() {
        return looksAtLabels;
    }

    @Override
    void reset() {
        count = 0;
        trueCount = 0;
    }

    @Override
    void add(Block block, int index) {
        count++;
        trueCount += condition.isTrue(block, index) ? 1 : 0;
    }

    @Override
    void remove(Block block, int index) {
        count--;
        trueCount -= condition.isTrue(block, index) ? 1 : 0;
    }

    @Override
    void writeTo(Frame frame) {
        frame.setDouble(target, count == 0 ? 0.0 : (double) trueCount / count);
    }
}
