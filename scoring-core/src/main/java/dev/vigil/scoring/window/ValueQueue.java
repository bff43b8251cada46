package dev.vigil.scoring.window;

import dev.vigil.scoring.state.Block;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Values of one field in order of their events' time, which come and go at both ends. An event is known by its offset in the
 * log. One thread.
 */
final class ValueQueue {
    private static final int SMALL = 4;

    private final int slot;
    /** Offset and number of each. */
    private long[] ring = new long[2 * SMALL];
    /** Null where the field is not a text. */
    private @Nullable String @Nullable [] texts;

    private int capacity = SMALL;
    private int head;
    private int size;

    ValueQueue(int slot, boolean isText) {
        this.slot = slot;
        this.texts = isText ? new String[SMALL] : null;
    }

    int size() {
        return size;
    }

    /** @param position from 0, the earliest, to below the size */
    long number(int position) {
        return ring[2 * index(position) + 1];
    }

    long latestNumber() {
        return number(size - 1);
    }

    /** Of a queue of texts. */
    String text(int position) {
        return Objects.requireNonNull(Objects.requireNonNull(texts)[index(position)]);
    }

    /** Whether that event has a value. */
    boolean takes(Block block, int index) {
        return texts == null ? block.hasNumber(index, slot) : block.text(index, slot) != null;
    }

    boolean isAt(int position, Block block, int index) {
        return ring[2 * index(position)] == block.offset(index);
    }

    /** Whether the event is the earliest. */
    boolean beginsWith(Block block, int index) {
        return size > 0 && isAt(0, block, index);
    }

    /** Whether the event is the latest. */
    boolean endsWith(Block block, int index) {
        return size > 0 && isAt(size - 1, block, index);
    }

    void addFirst(Block block, int index) {
        growIfFull();
        head = index(-1);
        size++;
        set(head, block, index);
    }

    void addLast(Block block, int index) {
        growIfFull();
        set(index(size), block, index);
        size++;
    }

    private void set(int at, Block block, int index) {
        ring[2 * at] = block.offset(index);
        if (texts == null) {
            ring[2 * at + 1] = block.number(index, slot);
        } else {
            texts[at] = block.text(index, slot);
        }
    }

    void removeFirst() {
        head = index(1);
        size--;
    }

    void removeLast() {
        size--;
    }

    /** Turns round the order of the last so many. */
    void reverseLast(int count) {
        for (int low = size - count, high = size - 1; low < high; low++, high--) {
            swap(index(low), index(high));
        }
    }

    private void swap(int a, int b) {
        for (int part = 0; part < 2; part++) {
            long value = ring[2 * a + part];
            ring[2 * a + part] = ring[2 * b + part];
            ring[2 * b + part] = value;
        }
        if (texts != null) {
            String text = texts[a];
            texts[a] = texts[b];
            texts[b] = text;
        }
    }

    /** Lets go of all, and of the memory that many needed. */
    void clear() {
        size = 0;
        head = 0;
        if (capacity > SMALL) {
            capacity = SMALL;
            ring = new long[2 * SMALL];
            texts = texts == null ? null : new String[SMALL];
        }
    }

    private int index(int position) {
        return head + position & capacity - 1;
    }

    private void growIfFull() {
        if (size < capacity) {
            return;
        }
        long[] larger = new long[4 * capacity];
        @Nullable String[] largerTexts = new String[texts == null ? 0 : 2 * capacity];
        for (int i = 0; i < size; i++) {
            System.arraycopy(ring, 2 * index(i), larger, 2 * i, 2);
            if (texts != null) {
                largerTexts[i] = texts[index(i)];
            }
        }
        ring = larger;
        texts = texts == null ? null : largerTexts;
        capacity *= 2;
        head = 0;
    }
}
