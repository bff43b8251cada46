package dev.vigil.scoring.state;

import org.jspecify.annotations.Nullable;

/** A few events that follow each other in time; the unit in which they are stored. Linked in time order. */
public final class Block {
    /** An event writes its block again, so a block is small; a window reads many, so it is not tiny. */
    static final int CAPACITY = 16;

    final long id;
    final StoredEvent[] events = new StoredEvent[CAPACITY];
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
        return events[0].timeUs();
    }

    long lastTimeUs() {
        return events[count - 1].timeUs();
    }

    boolean isFull() {
        return count == CAPACITY;
    }

    void insert(int index, StoredEvent event) {
        if (index < encodedCount) {
            forgetEncoded();
        }
        System.arraycopy(events, index, events, index + 1, count - index);
        events[index] = event;
        count++;
    }

    void forgetEncoded() {
        encoded = null;
        encodedCount = 0;
    }

    /** Index of the first event later than the time; count if there is none. */
    public int firstAfter(long timeUs) {
        int index = count;
        while (index > 0 && events[index - 1].timeUs() > timeUs) {
            index--;
        }
        return index;
    }
}
