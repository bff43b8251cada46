package dev.vigil.scoring.window;

import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.state.StoredEvent;

/**
 * A running aggregate. Events are added in time order and removed in the order in which they were added. One thread.
 */
abstract class Accumulator {
    abstract void reset();

    abstract void add(StoredEvent event);

    abstract void remove(StoredEvent event);

    abstract void writeTo(Frame frame, int slot);
}
