package dev.vigil.scoring.window;

import dev.vigil.scoring.state.StoredEvent;
import org.jspecify.annotations.Nullable;

/** Events in order of time, which come and go at both ends. One thread. */
final class EventQueue {
    private static final int SMALL = 8;

    private @Nullable StoredEvent[] ring = new StoredEvent[SMALL];
    private int head;
    private int size;

    int size() {
        return size;
    }

    /** @param position from 0, the earliest, to below the size */
    StoredEvent at(int position) {
        return java.util.Objects.requireNonNull(ring[index(position)]);
    }

    /** Whether the event is the earliest. */
    boolean beginsWith(StoredEvent event) {
        return size > 0 && at(0) == event;
    }

    /** Whether the event is the latest. */
    boolean endsWith(StoredEvent event) {
        return size > 0 && at(size - 1) == event;
    }

    void addFirst(StoredEvent event) {
        growIfFull();
        head = index(-1);
        ring[head] = event;
        size++;
    }

    void addLast(StoredEvent event) {
        growIfFull();
        ring[index(size)] = event;
        size++;
    }

    void removeFirst() {
        ring[head] = null;
        head = index(1);
        size--;
    }

    void removeLast() {
        size--;
        ring[index(size)] = null;
    }

    /** Turns round the order of the last so many. */
    void reverseLast(int count) {
        for (int low = size - count, high = size - 1; low < high; low++, high--) {
            StoredEvent event = at(low);
            ring[index(low)] = at(high);
            ring[index(high)] = event;
        }
    }

    /** Costs what is in it, or less, whatever was in it before. */
    void clear() {
        if (size > SMALL) {
            ring = new StoredEvent[SMALL];
            head = 0;
            size = 0;
        }
        while (size > 0) {
            removeLast();
        }
    }

    private int index(int position) {
        return head + position & ring.length - 1;
    }

    private void growIfFull() {
        if (size < ring.length) {
            return;
        }
        @Nullable StoredEvent[] larger = new StoredEvent[ring.length * 2];
        for (int i = 0; i < size; i++) {
            larger[i] = at(i);
        }
        ring = larger;
        head = 0;
    }
}
