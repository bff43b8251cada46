package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.Block;

final class CountAccumulator extends Accumulator {
    private final int target;
    private long count;

    CountAccumulator(int target) {
        this.target = target;
    }

    @Override
    void reset() {
        count = 0;
    }

    @Override
    void add(Block block, int index) {
        count++;
    }

    @Override
    void remove(Block block, int index) {
        count--;
    }

    @Override
    void writeTo(Frame frame) {
        frame.setNumber(target, count);
    }
}
