package dev.vigil.engine.kafka;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is due against what is found, place by place, where a place is a partition of a topic. A reader that drops repeats,
 * as Vigil's own do, must be left with exactly what is due, in order; and what it drops must be what it has seen under that
 * source. Keeps every output, to say how a repeat differs. One thread.
 */
final class OutputComparison {
    private static final class Place {
        private final Deque<Output> due = new ArrayDeque<>();
        private final Set<String> keysDueLast = new HashSet<>();
        private long offsetDueLast = -1;
        private final Map<Output.Source, Output> kept = new HashMap<>();
        private long passedOffset = -1;

        void expect(Output output) {
            Output.Source source = output.source();
            if (source.offset() > offsetDueLast) {
                offsetDueLast = source.offset();
                keysDueLast.clear();
            }
            if (source.offset() < offsetDueLast || !keysDueLast.add(source.key())) {
                throw new AssertionError(output.place() + ": a reader would take for a repeat, at " + source
                        + ", what an undisturbed run tells for the first time: " + output);
            }
            due.add(output);
        }

        /** Whether a reader takes it for something that it has passed. */
        boolean isRepeat(Output.Source source) {
            return source.offset() < passedOffset || kept.containsKey(source);
        }

        void requireSame(Output.Source source, Output repeat) {
            Output first = kept.get(source);
            if (!repeat.equals(first)) {
                throw new AssertionError(repeat.place() + ": a repeat that differs, at " + source + ": expected "
                        + first + "\nfound " + repeat);
            }
        }

        void keep(Output.Source source, Output output) {
            Output expected = due.peek();
            if (!output.equals(expected)) {
                throw new AssertionError(
                        output.place() + ": at " + source + ": expected " + expected + "\nfound " + output);
            }
            due.remove();
            passedOffset = source.offset();
            kept.put(source, output);
        }
    }

    private final Map<String, Place> places = new TreeMap<>();
    private long keptCount;
    private long repeatCount;
    private long correctionCount;
    private final Map<String, Long> keptCounts = new HashMap<>();

    long keptCount() {
        return keptCount;
    }

    /** @param role of a topic */
    long keptCount(String role) {
        return keptCounts.getOrDefault(role, 0L);
    }

    long correctionCount() {
        return correctionCount;
    }

    long repeatCount() {
        return repeatCount;
    }

    /** Of what is due, how much has not been found yet. */
    long missingCount() {
        return places.values().stream().mapToLong(place -> place.due.size()).sum();
    }

    /** Of what is due and has not been found yet, one that is the first of its place. */
    @Nullable
    Output firstMissing() {
        return places.values().stream()
                .map(place -> place.due.peek())
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** @throws AssertionError if a reader could not tell it from what was due before */
    void expect(Output output) {
        place(output).expect(output);
    }

    /** @throws AssertionError if it is not what is due next, or a repeat that differs from what it repeats */
    void found(Output output) {
        Place place = place(output);
        Output.Source source = output.source();
        if (place.isRepeat(source)) {
            place.requireSame(source, output);
            repeatCount++;
            return;
        }
        place.keep(source, output);
        keptCount++;
        keptCounts.merge(output.role(), 1L, Long::sum);
        if (output.isCorrection()) {
            correctionCount++;
        }
    }

    private Place place(Output output) {
        return places.computeIfAbsent(output.place(), p -> new Place());
    }
}
