package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.StoredEvent;
import java.util.function.Predicate;

/** Share of events for which something is true. */
final class RateAccumulator extends Accumulator {
    private final Predicate<StoredEvent> isTrue;
    private final boolean looksAtLabels;
    private long count;
    private long trueCount;

    private RateAccumulator(Predicate<StoredEvent> isTrue, boolean looksAtLabels) {
        this.isTrue = isTrue;
        this.looksAtLabels = looksAtLabels;
    }

    static RateAccumulator ofLabel(String label) {
        return new RateAccumulator(event -> event.isLabelled(label), true);
    }

    /** @param slot of a bool field */
    static RateAccumulator ofField(int slot) {
        return new RateAccumulator(event -> event.hasNumber(slot) && event.number(slot) != 0, false);
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
    void add(StoredEvent event) {
        count++;
        trueCount += isTrue.test(event) ? 1 : 0;
    }

    @Override
    void remove(StoredEvent event) {
        count--;
        trueCount -= isTrue.test(event) ? 1 : 0;
    }

    @Override
    void writeTo(Frame frame, int slot) {
        frame.setDouble(slot, count == 0 ? 0.0 : (double) trueCount / count);
    }
}
