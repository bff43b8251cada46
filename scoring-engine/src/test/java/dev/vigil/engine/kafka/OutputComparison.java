package dev.vigil.engine.kafka;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is due against what is found, place by place, where a place is a partition of a topic. A reader that drops positions
 * which it has passed must be left with exactly what is due, in order; and what it drops must be what it has seen at that
 * position. Keeps a hash per output, not the outputs. One thread.
 */
final class OutputComparison {
    private final Map<String, Deque<Output>> due = new HashMap<>();
    private final Map<String, Long> passed = new HashMap<>();
    private final Map<String, Map<Long, Integer>> hashes = new HashMap<>();
    private long keptCount;
    private long repeatCount;
    private long alertCount;

    long keptCount() {
        return keptCount;
    }

    long repeatCount() {
        return repeatCount;
    }

    long alertCount() {
        return alertCount;
    }

    /** Of what is due, how much has not been found yet. */
    long missingCount() {
        return due.values().stream().mapToLong(Deque::size).sum();
    }

    void expect(Output output) {
        due.computeIfAbsent(place(output), p -> new ArrayDeque<>()).add(output);
    }

    /** @throws AssertionError if it is not what is due next, or a repeat that differs from what it repeats */
    void found(Output output) {
        String place = place(output);
        long offset = output.sourceOffset();
        Map<Long, Integer> seen = hashes.computeIfAbsent(place, p -> new HashMap<>());
        if (offset <= passed.getOrDefault(place, -1L)) {
            repeatCount++;
            Integer hash = seen.get(offset);
            if (hash == null || hash != output.hashCode()) {
                throw new AssertionError(place + ": a repeat that differs, of offset " + offset + ": " + output);
            }
            return;
        }
        passed.put(place, offset);
        seen.put(offset, output.hashCode());
        Output expected = next(place);
        if (!output.equals(expected)) {
            throw new AssertionError(place + ": expected " + expected + "\nfound " + output);
        }
        keptCount++;
        if (output.topic().endsWith(".alerts")) {
            alertCount++;
        }
    }

    private @Nullable Output next(String place) {
        Deque<Output> outputs = due.get(place);
        return outputs == null ? null : outputs.poll();
    }

    private static String place(Output output) {
        return output.topic() + "-" + output.partition();
    }
}
