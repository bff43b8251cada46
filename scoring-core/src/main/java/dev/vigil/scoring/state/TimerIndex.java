package dev.vigil.scoring.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Timers of one kind, in order of time. Those that are due next are in memory, the others in the store alone, so that
 * memory does not grow with the number of accounts. One thread.
 *
 * <p>What it answers is a function of the calls alone: changes that no step has brought to the store yet are laid over
 * what the store says. A scan starts behind the timers already loaded, hence never over those that were deleted.
 */
public final class TimerIndex {
    /** Of accounts whose events may have been forgotten by then; without a name. */
    public static final char IDLE = 'i';
    /** Of windows that end; the name is the summary's. */
    public static final char SUMMARY = 's';

    /** @param name of what it is for within its kind */
    public record Timer(long timeUs, String name, String entity) {}

    private record Change(byte[] key, boolean isThere) {}

    private static final int LOADED = 1_024;
    private static final byte[] VALUE = {EntityCodec.VERSION};

    private final StateStore store;
    private final char kind;
    private final int maxLoaded;
    private final byte[] end;
    private final StateKeys keys = new StateKeys();
    private final TreeSet<byte[]> loaded = new TreeSet<>(Arrays::compareUnsigned);
    private final TreeMap<byte[], Change> unwritten = new TreeMap<>(Arrays::compareUnsigned);
    private final Deque<List<Change>> taken = new ArrayDeque<>();
    private List<Change> changes = new ArrayList<>();

    /** Every timer up to this key is loaded. */
    private byte[] boundary;

    /** Whether none lies behind the boundary. */
    private boolean isComplete;

    private long nextUs;

    /** Takes up the timers that the store holds. */
    public TimerIndex(StateStore store, char kind) {
        this(store, kind, LOADED);
    }

    TimerIndex(StateStore store, char kind, int maxLoaded) {
        this.store = store;
        this.kind = kind;
        this.maxLoaded = maxLoaded;
        this.boundary = new byte[] {(byte) kind};
        this.end = new byte[] {(byte) (kind + 1)};
        findNext();
    }

    /** Time of the next timer, µs; the largest value if there is none. */
    public long nextUs() {
        return nextUs;
    }

    /** @throws java.util.NoSuchElementException if there is none */
    public Timer takeNext() {
        byte[] key = loaded.first();
        loaded.remove(key);
        change(key, false);
        findNext();
        return timer(key);
    }

    /** Sets a timer; one that is set already stays as it is. */
    public void set(long timeUs, String name, String entity) {
        byte[] key = keys.timer(kind, timeUs, name, entity);
        if (isSet(key)) {
            return;
        }
        change(key, true);
        if (isLoaded(key)) {
            loaded.add(key);
            nextUs = Math.min(nextUs, timeUs);
            if (loaded.size() > 2 * maxLoaded) {
                unload();
            }
        }
    }

    public boolean isSet(long timeUs, String name, String entity) {
        return isSet(keys.timer(kind, timeUs, name, entity));
    }

    private boolean isSet(byte[] key) {
        if (isLoaded(key)) {
            return loaded.contains(key);
        }
        Change change = unwritten.get(key);
        return change == null ? store.get(key) != null : change.isThere();
    }

    private boolean isLoaded(byte[] key) {
        return isComplete || Arrays.compareUnsigned(key, boundary) <= 0;
    }

    private void unload() {
        while (loaded.size() > maxLoaded) {
            loaded.pollLast();
        }
        boundary = loaded.last();
        isComplete = false;
    }

    private void findNext() {
        while (loaded.isEmpty() && !isComplete) {
            load();
        }
        nextUs = loaded.isEmpty() ? Long.MAX_VALUE : timer(loaded.first()).timeUs();
    }

    private void load() {
        List<byte[]> stored = store.keys(boundary, end, maxLoaded);
        byte[] from = boundary;
        isComplete = stored.size() < maxLoaded;
        boundary = isComplete ? end : stored.get(stored.size() - 1);
        loaded.addAll(stored);
        unwritten.subMap(from, false, boundary, true).forEach((key, change) -> {
            if (change.isThere()) {
                loaded.add(key);
            } else {
                loaded.remove(key);
            }
        });
    }

    private void change(byte[] key, boolean isThere) {
        Change change = new Change(key, isThere);
        changes.add(change);
        unwritten.put(key, change);
    }

    /** Adds what changed in this step to the batch. */
    public void collect(StateBatch batch) {
        for (Change change : changes) {
            if (change.isThere()) {
                batch.put(change.key(), VALUE);
            } else {
                batch.delete(change.key());
            }
        }
        taken.add(changes);
        changes = new ArrayList<>();
    }

    /** The store has the oldest of the steps that were collected and not written yet. */
    public void written() {
        for (Change change : taken.remove()) {
            unwritten.computeIfPresent(change.key(), (key, last) -> last == change ? null : last);
        }
    }

    private static Timer timer(byte[] key) {
        ByteSource source = new ByteSource(key);
        source.readByte();
        return new Timer(source.readFixed64() ^ Long.MIN_VALUE, source.readText(), source.readText());
    }
}
