package dev.vigil.scoring.state;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A few events that follow each other in time; the unit in which they are stored. Linked in time order.
 *
 * <p>Events lie side by side in a few arrays instead of being objects: a window that moves over them reads memory in
 * order, an event needs about a hundred bytes, and the garbage collector has nothing to follow.
 */
public final class Block {
    /** An event writes its block again, so a block is small; a window reads many, so it is not tiny. */
    static final int CAPACITY = 16;

    // What a row holds, in longs.
    private static final int TIME = 0;
    private static final int OFFSET = 1;
    private static final int PRESENT = 2;
    /** Where the id is: start in the upper half, length in the lower. */
    private static final int ID = 3;

    private static final int NUMBERS = 4;

    // What a row of texts holds.
    private static final int SOURCE = 0;
    private static final int TEXTS = 1;

    final long id;
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

    /** Of all events, as long as they have the same; else of the first. */
    private @Nullable EventLayout layout;

    private @Nullable EventLayout @Nullable [] layouts;
    private int width;
    private int textWidth;
    private long[] rows = {};
    private @Nullable String[] texts = {};
    private long[] hashes = {};
    /** UTF-8, one behind the other; what rows do not point to any more is left out when it has to grow. */
    private byte[] ids = {};

    private int idsLength;
    private String @Nullable [] @Nullable [] labels;

    Block(long id) {
        this.id = id;
    }

    /** 1 to CAPACITY. */
    public int count() {
        return count;
    }

    /** Event time of an event, µs. */
    public long timeUs(int index) {
        return rows[index * width + TIME];
    }

    /** An event's offset in the log. */
    public long offset(int index) {
        return rows[index * width + OFFSET];
    }

    public EventLayout layout(int index) {
        return Objects.requireNonNull(layouts == null ? layout : layouts[index]);
    }

    public boolean hasNumber(int index, int slot) {
        return (rows[index * width + PRESENT] & 1L << slot) != 0;
    }

    /** As {@link StoredEvent#number}. */
    public long number(int index, int slot) {
        return rows[index * width + NUMBERS + slot];
    }

    public @Nullable String text(int index, int slot) {
        return texts[index * textWidth + TEXTS + slot];
    }

    public String source(int index) {
        return Objects.requireNonNull(texts[index * textWidth + SOURCE]);
    }

    public String id(int index) {
        long at = rows[index * width + ID];
        return new String(ids, (int) (at >>> 32), (int) at, StandardCharsets.UTF_8);
    }

    /** Whether the label is known of an event and true. */
    public boolean isLabelled(int index, String label) {
        return Arrays.asList(labels(index)).contains(label);
    }

    String[] labels(int index) {
        String[] own = labels == null ? null : labels[index];
        return own == null ? StoredEvent.NO_LABELS : own;
    }

    /** A copy of an event. */
    public StoredEvent event(int index) {
        EventLayout own = layout(index);
        StoredEvent event = new StoredEvent(own, source(index), id(index), timeUs(index), offset(index));
        int row = index * width;
        event.setFields(rows[row + PRESENT], rows, row + NUMBERS, texts, index * textWidth + TEXTS);
        event.setLabels(labels(index));
        return event;
    }

    /** Index of the last event of this identity; -1 if there is none. */
    int find(StoredEvent identity) {
        for (int i = count - 1; i >= 0; i--) {
            if (hashes[i] == identity.identityHash()
                    && id(i).equals(identity.id())
                    && source(i).equals(identity.source())) {
                return i;
            }
        }
        return -1;
    }

    /** Index of the event at an offset of the log; -1 if it is not here. */
    int indexOf(long offset) {
        for (int i = count - 1; i >= 0; i--) {
            if (offset(i) == offset) {
                return i;
            }
        }
        return -1;
    }

    long identityHash(int index) {
        return hashes[index];
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
        return timeUs(0);
    }

    long lastTimeUs() {
        return timeUs(count - 1);
    }

    boolean isFull() {
        return count == CAPACITY;
    }

    void insert(int index, StoredEvent event) {
        if (index < encodedCount) {
            forgetEncoded();
        }
        makeRoom(event.layout());
        shift(rows, index, width);
        shift(texts, index, textWidth);
        shift(hashes, index, 1);
        if (layouts != null) {
            shift(layouts, index, 1);
        }
        if (labels != null) {
            shift(labels, index, 1);
        }
        count++;
        put(index, event);
    }

    private void shift(Object array, int index, int by) {
        System.arraycopy(array, index * by, array, (index + 1) * by, (count - index) * by);
    }

    private void put(int index, StoredEvent event) {
        int row = index * width;
        rows[row + TIME] = event.timeUs();
        rows[row + OFFSET] = event.offset();
        rows[row + ID] = 0;
        rows[row + ID] = addId(event.id());
        rows[row + PRESENT] = event.copyNumbers(rows, row + NUMBERS);
        int text = index * textWidth;
        texts[text + SOURCE] = count > 1 ? shared(event.source(), index == 0 ? 1 : index - 1) : event.source();
        event.copyTexts(texts, text + TEXTS);
        hashes[index] = event.identityHash();
        if (layouts != null) {
            layouts[index] = event.layout();
        }
        setLabels(index, event.labels());
    }

    /** A handful of sources repeat in every event. */
    private String shared(String source, int other) {
        return source.equals(texts[other * textWidth + SOURCE]) ? source(other) : source;
    }

    /** For one more event of that layout. */
    private void makeRoom(EventLayout added) {
        if (layout == null) {
            layout = added;
        } else if (layouts == null && layout != added) {
            layouts = new EventLayout[CAPACITY];
            Arrays.fill(layouts, 0, count, layout);
        }
        int neededWidth = Math.max(width, NUMBERS + added.numberCount());
        int neededTextWidth = Math.max(textWidth, TEXTS + added.textCount());
        boolean isFull = count == hashes.length;
        if (isFull || neededWidth != width || neededTextWidth != textWidth) {
            int room = isFull ? Math.max(1, 2 * count) : hashes.length;
            rows = widened(rows, width, new long[room * neededWidth], neededWidth);
            texts = widened(texts, textWidth, new String[room * neededTextWidth], neededTextWidth);
            hashes = Arrays.copyOf(hashes, room);
            width = neededWidth;
            textWidth = neededTextWidth;
        }
    }

    private <T> T widened(T from, int fromWidth, T to, int toWidth) {
        for (int i = 0; i < count; i++) {
            System.arraycopy(from, i * fromWidth, to, i * toWidth, fromWidth);
        }
        return to;
    }

    private long addId(String text) {
        byte[] added = text.getBytes(StandardCharsets.UTF_8);
        if (idsLength + added.length > ids.length) {
            gatherIds(added.length);
        }
        System.arraycopy(added, 0, ids, idsLength, added.length);
        long at = (long) idsLength << 32 | added.length;
        idsLength += added.length;
        return at;
    }

    private void gatherIds(int more) {
        int used = 0;
        for (int i = 0; i < count; i++) {
            used += (int) rows[i * width + ID];
        }
        byte[] gathered = new byte[(used + more) * hashes.length / count];
        int length = 0;
        for (int i = 0; i < count; i++) {
            long at = rows[i * width + ID];
            System.arraycopy(ids, (int) (at >>> 32), gathered, length, (int) at);
            rows[i * width + ID] = (long) length << 32 | (int) at;
            length += (int) at;
        }
        ids = gathered;
        idsLength = length;
    }

    void setLabels(int index, String[] known) {
        if (labels == null && known.length > 0) {
            labels = new String[CAPACITY][];
        }
        if (labels != null) {
            labels[index] = known;
        }
    }

    /** Writes the id of an event. */
    void writeId(int index, ByteSink sink) {
        long at = rows[index * width + ID];
        sink.writeText(ids, (int) (at >>> 32), (int) at);
    }

    /** Writes the fields of an event. */
    void writeFields(int index, ByteSink sink) {
        int row = index * width;
        StoredEvent.writeFields(
                layout(index), rows[row + PRESENT], rows, row + NUMBERS, texts, index * textWidth + TEXTS, sink);
    }

    /** Hands the events from the index on to an empty block. */
    void moveTo(Block upper, int from) {
        for (int i = from; i < count; i++) {
            upper.insert(i - from, event(i));
        }
        count = from;
        forgetEncoded();
    }

    StoredEvent removeLast() {
        StoredEvent removed = event(--count);
        forgetEncoded();
        return removed;
    }

    void moveToCurrentLayouts(LayoutRegistry registry) {
        forgetEncoded();
        StoredEvent[] all = new StoredEvent[count];
        for (int i = 0; i < all.length; i++) {
            all[i] = registry.inCurrent(event(i));
        }
        count = 0;
        idsLength = 0;
        layout = null;
        layouts = null;
        labels = null;
        for (StoredEvent event : all) {
            insert(count, event);
        }
    }

    void forgetEncoded() {
        encoded = null;
        encodedCount = 0;
    }

    /** Index of the first event later than the time; count if there is none. */
    public int firstAfter(long timeUs) {
        int index = count;
        while (index > 0 && timeUs(index - 1) > timeUs) {
            index--;
        }
        return index;
    }
}
