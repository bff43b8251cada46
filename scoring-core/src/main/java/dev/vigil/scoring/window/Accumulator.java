package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.Block;

/**
 * A running aggregate over a window that slides along time in both directions: events enter and leave at its two ends,
 * in time order, given by block and index there, which hold during the call alone. One thread.
 */
abstract class Accumulator {
    abstract void reset();

    /** Whether labels of its events, which may change while they are in the window, take part. */
    boolean looksAtLabels() {
        return false;
    }

    /** Takes in an event later than all others. */
    abstract void add(Block block, int index);

    /** Lets go of the earliest event. */
    abstract void remove(Block block, int index);

    /** Takes in an event earlier than all others. */
    void addEarliest(Block block, int index) {
        add(block, index);
    }

    /** Lets go of the latest event. {@link #refill} follows before anything else is asked. */
    void removeLatest(Block block, int index) {
        remove(block, index);
    }

    /** Looks again at the events of the window, latest first, for what came back into force by a removal of later ones. */
    void refill(WindowCursor.Span window) {}

    /** Puts what it is made for into the frame. */
    abstract void writeTo(Frame frame);
}
