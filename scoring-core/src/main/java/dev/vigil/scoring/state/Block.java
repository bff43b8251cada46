package dev.vigil.scoring.state;

import org.jspecify.annotations.Nullable;

/** A few events that follow each other in time; the unit in which they are stored. Linked in time order. */
public final class Block {
    /** An event writes its block again, so a block is small; a window reads many, so it is not tiny. */
    static final int CAPACITY = 16;

    final long id;
    final StoredEvent[] events = new StoredEvent[CAPACITY];
    /** Times and hashes of the events' ids once more, side by side: a search then seldom needs the events themselves. */
    private final long[] timesUs = new long[CAPACITY];

    private final int[] idHashes = new int[CAPACITY];
    int count;
    boolean changed;
    boolean gone;

    /** The first {@code encodedCount} events as they were last stored; null where they have changed since, or never. */
    byte @Nullable [] encoded;

    int encodedCount;

    @Nullable
    Block previous;

    @Nullable
    Block next;

    Block(long id) {
        this.id = id;
    }

    /** 1 to CAPACITY. */
    public int count() {
        return count;
    }

    public StoredEvent event(int index) {
        return events[index];
    }

    /** Event time of an event, µs. */
    public long timeUs(int index) {
        return timesUs[index];
    }

    /** The last event of this identity; null if there is none. */
    @Nullable
    StoredEvent find(StoredEvent identity) {
        int hash = identity.idHash();
        for (int i = count - 1; i >= 0; i--) {
            if (idHashes[i] == hash && events[i].equals(identity)) {
                return events[i];
            }
        }
        return null;
    }

    public @Nullable Block next() {
        return next;
    }

    public @Nullable Block previous() {
        return previous;
    }

    /** Whether its events were forgotten; it still leads on to the blocks behind it. */
    public boolean isGone() {
        return gone;
    }

    long firstTimeUs() {
        return timesUs[0];
    }

    long lastTimeUs() {
        return timesUs[count - 1];
    }

    boolean isFull() {
        return count == CAPACITY;
    }

    void insert(int index, StoredEvent event) {
        if (index < encodedCount) {
            forgetEncoded();
        }
        System.arraycopy(events, index, events, index + 1, count - index);
        System.arraycopy(timesUs, index, timesUs, index + 1, count - index);
        System.arraycopy(idHashes, index, idHashes, index + 1, count - index);
        events[index] = event;
        timesUs[index] = event.timeUs();
        idHashes[index] = event.idHash();
        count++;
    }

    /** Hands the events from the index on to an empty block. */
    void moveTo(Block upper, int from) {
        for (int i = from; i < count; i++) {
            upper.insert(i - from, events[i]);
            events[i] = null;
        }
        count = from;
        forgetEncoded();
    }

    StoredEvent removeLast() {
        StoredEvent removed = events[--count];
        events[count] = null;
        forgetEncoded();
        return removed;
    }

    /** Whether it has this very event. */
    boolean holds(StoredEvent event) {
        for (int i = 0; i < count; i++) {
            if (events[i] == event) {
                return true;
            }
        }
        return false;
    }

    void forgetEncoded() {
        encoded = null;
        encodedCount = 0;
    }

    /** Index of the first event later than the time; count if there is none. */
    public int firstAfter(long timeUs) {
        int index = count;
        while (index > 0 && timesUs[index - 1] > timeUs) {
            index--;
        }
        return index;
    }
}
