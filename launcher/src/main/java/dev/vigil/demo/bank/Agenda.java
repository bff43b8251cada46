package dev.vigil.demo.bank;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Actions that are planned, in the order in which they are due; of those due together the one planned first. */
final class Agenda {
    private record Entry(Action action, long sequence) {
        long dueMs() {
            return action.delivery().dueMs();
        }
    }

    private final PriorityQueue<Entry> entries =
            new PriorityQueue<>(Comparator.comparingLong(Entry::dueMs).thenComparingLong(Entry::sequence));
    private long planned;

    void add(Action action) {
        entries.add(new Entry(action, planned++));
    }

    boolean hasDue(double byMs) {
        Entry next = entries.peek();
        return next != null && next.dueMs() <= byMs;
    }

    Action take() {
        return entries.remove().action();
    }
}
