package dev.vigil.scoring.window;

import dev.vigil.scoring.state.Block;
import dev.vigil.scoring.state.StoredEvent;
import dev.vigil.scoring.state.Timeline;
import org.jspecify.annotations.Nullable;

/**
 * A window that slides along one account's timeline: what enters on the right is added, what leaves on the left removed,
 * so an event costs the same however many are in the window. An event out of order, or a label, makes it start again.
 */
final class WindowCursor {
    private final EventFilter filter;
    private final Accumulator[] accumulators;
    private @Nullable Block left;
    private int leftIndex;
    private @Nullable Block right;
    private int rightIndex;
    private long revision = -1;
    private long endUs;

    WindowCursor(EventFilter filter, Accumulator[] accumulators) {
        this.filter = filter;
        this.accumulators = accumulators;
    }

    Accumulator[] moveTo(Timeline timeline, long startUs, long toUs) {
        if (revision != timeline.revision() || right == null || toUs < endUs) {
            restart(timeline, startUs);
        }
        endUs = toUs;
        advanceRight(toUs);
        advanceLeft(startUs);
        return accumulators;
    }

    private void restart(Timeline timeline, long startUs) {
        for (Accumulator accumulator : accumulators) {
            accumulator.reset();
        }
        revision = timeline.revision();
        Block from = WindowGroup.firstBlockAfter(timeline, startUs);
        right = from == null ? timeline.last() : from;
        rightIndex = from == null && right != null ? right.count() : 0;
        while (right != null
                && rightIndex < right.count()
                && right.event(rightIndex).timeUs() <= startUs) {
            rightIndex++;
        }
        left = right;
        leftIndex = rightIndex;
    }

    private void advanceRight(long toUs) {
        while (right != null) {
            if (rightIndex == right.count()) {
                if (right.next() == null) {
                    return;
                }
                right = right.next();
                rightIndex = 0;
            }
            StoredEvent event = right.event(rightIndex);
            if (event.timeUs() > toUs) {
                return;
            }
            rightIndex++;
            if (filter.accepts(event)) {
                for (Accumulator accumulator : accumulators) {
                    accumulator.add(event);
                }
            }
        }
    }

    private void advanceLeft(long startUs) {
        while (left != null && (left != right || leftIndex < rightIndex)) {
            if (leftIndex == left.count()) {
                left = left.next();
                leftIndex = 0;
                continue;
            }
            StoredEvent event = left.event(leftIndex);
            if (event.timeUs() > startUs) {
                return;
            }
            leftIndex++;
            if (filter.accepts(event)) {
                for (Accumulator accumulator : accumulators) {
                    accumulator.remove(event);
                }
            }
        }
    }
}
