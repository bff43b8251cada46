package dev.vigil.dashboard.live;

import dev.vigil.event.Json;
import dev.vigil.event.ScoredEvent;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The last scored events as the bytes they came in: decoded only when somebody asks, since at full speed nobody could
 * read them all. Bounded by count and by bytes. Thread-safe.
 */
public final class ScoredFeed {
    private static final long MAX_BYTES = 32L << 20;

    private record Entry(byte[] account, byte[] value) {}

    private final int capacity;
    private final Deque<Entry> entries = new ArrayDeque<>();
    private long bytes;

    public ScoredFeed(int capacity) {
        this.capacity = capacity;
    }

    public synchronized void add(byte[] account, byte[] value) {
        entries.addLast(new Entry(account, value));
        bytes += value.length;
        while (entries.size() > capacity || bytes > MAX_BYTES) {
            bytes -= entries.removeFirst().value().length;
        }
    }

    /** Newest first. A record that cannot be read is left out. */
    public List<ScoredEvent> recent(int limit, byte @Nullable [] account) {
        List<ScoredEvent> events = new ArrayList<>();
        for (byte[] value : values(limit, account)) {
            try {
                events.add(Json.decode(value, ScoredEvent.class));
            } catch (UncheckedIOException e) {
                // Written by a newer engine, perhaps: the rest can still be shown.
                continue;
            }
        }
        return events;
    }

    private synchronized List<byte[]> values(int limit, byte @Nullable [] account) {
        List<byte[]> values = new ArrayList<>();
        Iterator<Entry> newestFirst = entries.descendingIterator();
        while (newestFirst.hasNext() && values.size() < limit) {
            Entry entry = newestFirst.next();
            if (account == null || Arrays.equals(account, entry.account())) {
                values.add(entry.value());
            }
        }
        return values;
    }
}
