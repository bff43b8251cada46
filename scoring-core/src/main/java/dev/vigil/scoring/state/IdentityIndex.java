package dev.vigil.scoring.state;

import org.jspecify.annotations.Nullable;

/**
 * The events of an account by identity. Open addressing with linear probing over two arrays, since a map's entry per event
 * would cost more memory than the event's own index entries and a walk through memory for each look-up. One thread.
 */
final class IdentityIndex {
    private static final int SPREAD = 0x9E3779B9; // 2^32 / golden ratio: consecutive ids, consecutive hashes, part

    private int[] hashes;
    private @Nullable StoredEvent[] events;
    private int size;

    IdentityIndex(int expectedSize) {
        int capacity = Integer.highestOneBit(Math.max(16, expectedSize) * 4 - 1);
        hashes = new int[capacity];
        events = new StoredEvent[capacity];
    }

    private static int spread(StoredEvent event) {
        int product = event.idHash() * SPREAD;
        return product ^ product >>> 15;
    }

    @Nullable
    StoredEvent get(StoredEvent identity) {
        return events[slot(identity)];
    }

    /** Where the identity is, or would be. */
    private int slot(StoredEvent identity) {
        int mask = hashes.length - 1;
        int hash = spread(identity);
        int slot = hash & mask;
        StoredEvent there = events[slot];
        while (there != null && !(hashes[slot] == hash && there.equals(identity))) {
            slot = slot + 1 & mask;
            there = events[slot];
        }
        return slot;
    }

    /** Takes the place of an event of the same identity. */
    void put(StoredEvent event) {
        int slot = slot(event);
        if (events[slot] == null && ++size > hashes.length / 2) {
            grow();
            slot = slot(event);
        }
        hashes[slot] = spread(event);
        events[slot] = event;
    }

    /** Without a look at the events, most of which are far from the processor by now; they differ from each other. */
    private void grow() {
        int[] oldHashes = hashes;
        @Nullable StoredEvent[] oldEvents = events;
        hashes = new int[oldHashes.length * 2];
        events = new StoredEvent[hashes.length];
        int mask = hashes.length - 1;
        for (int i = 0; i < oldEvents.length; i++) {
            if (oldEvents[i] != null) {
                int slot = oldHashes[i] & mask;
                while (events[slot] != null) {
                    slot = slot + 1 & mask;
                }
                hashes[slot] = oldHashes[i];
                events[slot] = oldEvents[i];
            }
        }
    }

    /** Removes this very event; one that took its place stays. */
    void remove(StoredEvent event) {
        int hole = slot(event);
        if (events[hole] != event) {
            return;
        }
        size--;
        int mask = hashes.length - 1;
        int slot = hole;
        while (true) {
            slot = slot + 1 & mask;
            StoredEvent next = events[slot];
            if (next == null) {
                break;
            }
            // What would not be found any more with a gap before it moves into the gap.
            if ((slot - hashes[slot] & mask) >= (slot - hole & mask)) {
                hashes[hole] = hashes[slot];
                events[hole] = next;
                hole = slot;
            }
        }
        events[hole] = null;
    }
}
