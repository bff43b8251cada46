package dev.vigil.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sums over cases of fraud; of their times only the newest are kept. One thread. */
final class CaseTally {
    private final Deque<Long> afterMs = new ArrayDeque<>();
    private final int timesMax;
    private long incidents;
    private long caught;
    private long unfinished;
    private long unfinishedCaught;

    CaseTally(int timesMax) {
        this.timesMax = timesMax;
    }

    /** A case that was not over. */
    void addUnfinished(boolean alerted) {
        unfinished++;
        unfinishedCaught += alerted ? 1 : 0;
    }

    /** A case that was, and no alert told of it. */
    void addMissed() {
        incidents++;
    }

    void addCaught(long firstAlertAfterMs) {
        incidents++;
        caught++;
        keep(firstAlertAfterMs);
    }

    void add(CaseTally other) {
        incidents += other.incidents;
        caught += other.caught;
        unfinished += other.unfinished;
        unfinishedCaught += other.unfinishedCaught;
        other.afterMs.forEach(this::keep);
    }

    private void keep(long ms) {
        afterMs.addLast(ms);
        if (afterMs.size() > timesMax) {
            afterMs.removeFirst();
        }
    }

    PlantedFindings.Found found() {
        return new PlantedFindings.Found(incidents, caught, unfinished, unfinishedCaught, medianMs());
    }

    private @Nullable Long medianMs() {
        List<Long> sorted = afterMs.stream().sorted().toList();
        int upper = sorted.size() / 2;
        if (sorted.isEmpty()) {
            return null;
        }
        return sorted.size() % 2 == 1 ? sorted.get(upper) : (sorted.get(upper - 1) + sorted.get(upper)) / 2;
    }
}
