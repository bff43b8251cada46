package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.StoredEvent;

final class CountAccumulator extends Accumulator {
    private long count;

    @Override
    void reset() {
        count = 0;
    }

    @Override
    void add(StoredEvent event) {
        count++;
    }

    @Override
    void remove(StoredEvent event) {
        count--;
    }

    @Override
    void writeTo(Frame frame, int slot) {
        frame.setNumber(slot, count);
    }
}
