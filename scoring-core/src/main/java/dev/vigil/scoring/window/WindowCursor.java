package dev.vigil.scoring.window;

import dev.vigil.scoring.state.Block;
import dev.vigil.scoring.state.Timeline;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A window that slides along one account's timeline: what enters is added, what leaves is removed, so an event costs the
 * same however many are in the window. For an event out of order it slides back over the few events that are later, and
 * forward again with the next. It starts anew where that is shorter, and when a label that it looks at changed.
 *
 * <p>An end of the window stands behind the event {@code index - 1} of its block, and at index 0 only of the first block.
 * So an event that is inserted at or behind an end stays behind it, whichever block it comes into; and before an event is
 * inserted, each window of the account has been moved to where its end is not behind the place of insertion.
 */
final class WindowCursor {
    private final EventFilter filter;
    private final Accumulator[] accumulators;
    private final boolean looksAtLabels;
    private final Span window = new Span();
    private @Nullable Block left;
    private int leftIndex;
    private @Nullable Block right;
    private int rightIndex;
    private long revision = -1;
    private long startUs;
    private long endUs;

    /** @param looksAtLabels whether one of the accumulators does */
    WindowCursor(EventFilter filter, Accumulator[] accumulators, boolean looksAtLabels) {
        this.filter = filter;
        this.accumulators = accumulators;
        this.looksAtLabels = looksAtLabels;
    }

    /** Moves to (fromUs, toUs] and gives the aggregates over it. */
    Accumulator[] moveTo(Timeline timeline, long fromUs, long toUs) {
        if (right == null || left == null || revision != revision(timeline) || isFar(fromUs, toUs)) {
            restart(timeline, fromUs);
        } else {
            followSplits();
        }
        if (toUs >= endUs) {
            advanceRight(toUs);
            advanceLeft(fromUs);
        } else {
            retreatLeft(fromUs);
            retreatRight(toUs);
            for (Accumulator accumulator : accumulators) {
                accumulator.refill(window);
            }
        }
        startUs = fromUs;
        endUs = toUs;
        return accumulators;
    }

    private long revision(Timeline timeline) {
        return timeline.revision() + (looksAtLabels ? timeline.labelRevision() : 0);
    }

    private boolean isFar(long fromUs, long toUs) {
        return fromUs >= endUs || toUs <= startUs || fromUs < startUs && isAmongTheForgotten(fromUs);
    }

    /**
     * Whether events that were forgotten lie behind the time or in the window. Those of an end that stands in a block which
     * has left seldom do, and starting anew visits the whole window.
     */
    private boolean isAmongTheForgotten(long fromUs) {
        Block block = Objects.requireNonNull(left);
        if (!block.isGone()) {
            return false;
        }
        Block next = block.next();
        return leftIndex != block.count() || block.timeUs(leftIndex - 1) > fromUs || next != null && next.isGone();
    }

    private void restart(Timeline timeline, long fromUs) {
        for (Accumulator accumulator : accumulators) {
            accumulator.reset();
        }
        revision = revision(timeline);
        endUs = fromUs;
        right = timeline.last();
        while (right != null && right.previous() != null && right.timeUs(0) > fromUs) {
            right = right.previous();
        }
        rightIndex = right == null ? 0 : right.firstAfter(fromUs);
        left = right;
        leftIndex = rightIndex;
    }

    /** A block that an insertion has split since has the events behind its end in the next one now. */
    private void followSplits() {
        for (Block block = Objects.requireNonNull(left); leftIndex > block.count(); left = block) {
            leftIndex -= block.count();
            block = Objects.requireNonNull(block.next());
        }
        for (Block block = Objects.requireNonNull(right); rightIndex > block.count(); right = block) {
            rightIndex -= block.count();
            block = Objects.requireNonNull(block.next());
        }
    }

    private void advanceRight(long toUs) {
        while (right != null) {
            boolean isAtBlockEnd = rightIndex == right.count();
            Block block = isAtBlockEnd ? right.next() : right;
            int index = isAtBlockEnd ? 0 : rightIndex;
            if (block == null || block.timeUs(index) > toUs) {
                return;
            }
            right = block;
            rightIndex = index + 1;
            if (filter.accepts(block, index)) {
                for (Accumulator accumulator : accumulators) {
                    accumulator.add(block, index);
                }
            }
        }
    }

    private void advanceLeft(long fromUs) {
        while (left != null && (left != right || leftIndex < rightIndex)) {
            boolean isAtBlockEnd = leftIndex == left.count();
            Block block = isAtBlockEnd ? Objects.requireNonNull(left.next()) : left;
            int index = isAtBlockEnd ? 0 : leftIndex;
            if (block.timeUs(index) > fromUs) {
                return;
            }
            left = block;
            leftIndex = index + 1;
            if (filter.accepts(block, index)) {
                for (Accumulator accumulator : accumulators) {
                    accumulator.remove(block, index);
                }
            }
        }
    }

    private void retreatLeft(long fromUs) {
        Block block = Objects.requireNonNull(left);
        while (leftIndex > 0 && block.timeUs(leftIndex - 1) > fromUs) {
            leftIndex--;
            if (filter.accepts(block, leftIndex)) {
                for (Accumulator accumulator : accumulators) {
                    accumulator.addEarliest(block, leftIndex);
                }
            }
            if (leftIndex == 0 && block.previous() != null) {
                block = block.previous();
                leftIndex = block.count();
            }
        }
        left = block;
    }

    private void retreatRight(long toUs) {
        Block block = Objects.requireNonNull(right);
        while (rightIndex > 0 && block.timeUs(rightIndex - 1) > toUs) {
            rightIndex--;
            if (filter.accepts(block, rightIndex)) {
                for (Accumulator accumulator : accumulators) {
                    accumulator.removeLatest(block, rightIndex);
                }
            }
            if (rightIndex == 0 && block.previous() != null) {
                block = block.previous();
                rightIndex = block.count();
            }
        }
        right = block;
    }

    /** The events of the window that the filter accepts, latest first. */
    final class Span {
        private @Nullable Block block;
        private int index;

        void toEnd() {
            block = right;
            index = rightIndex;
        }

        /** Moves to the event before; false if there are no more. */
        boolean previous() {
            while (block != null && (block != left || index > leftIndex)) {
                if (index == 0) {
                    block = block.previous();
                    index = block == null ? 0 : block.count();
                    continue;
                }
                if (filter.accepts(block, --index)) {
                    return true;
                }
            }
            return false;
        }

        Block block() {
            return Objects.requireNonNull(block);
        }

        int index() {
            return index;
        }
    }
}
