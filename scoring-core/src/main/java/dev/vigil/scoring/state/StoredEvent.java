package dev.vigil.scoring.state;

import dev.vigil.event.FieldType;
import org.jspecify.annotations.Nullable;

/**
 * An event as a task remembers it. Equal to another by identity, ({@code source}, {@code id}), which is what makes a
 * redelivery a duplicate.
 */
public final class StoredEvent {
    private final EventLayout layout;
    private String source;
    private String id;
    private long identityHash;
    private long timeUs;
    private final long offset;
    private final long[] numbers;
    private final @Nullable String[] texts;
    private long present;
    private String[] labels = NO_LABELS;

    static final String[] NO_LABELS = {};

    /** An event without field values yet. */
    public StoredEvent(EventLayout layout, String source, String id, long timeUs, long offset) {
        this.layout = layout;
        this.source = source;
        this.id = id;
        this.identityHash = hash(source, id);
        this.timeUs = timeUs;
        this.offset = offset;
        this.numbers = new long[layout.numberCount()];
        this.texts = new String[layout.textCount()];
    }

    /** Tells who it is, of an event whose fields were read before that was known. */
    public void identify(String newSource, String newId, long newTimeUs) {
        source = newSource;
        id = newId;
        identityHash = hash(newSource, newId);
        timeUs = newTimeUs;
    }

    public EventLayout layout() {
        return layout;
    }

    public String source() {
        return source;
    }

    /** Equal for equal identities, and for hardly any others. */
    long identityHash() {
        return identityHash;
    }

    /** FNV-1a over the characters of both, with its 64 bits stirred once more (the finalizer of MurmurHash3). */
    private static long hash(String source, String id) {
        long hash = hash(hash(0xCBF29CE484222325L, source), id);
        hash = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
        return hash ^ hash >>> 33;
    }

    private static long hash(long before, String text) {
        long hash = before;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001B3L;
        }
        return hash;
    }

    public String id() {
        return id;
    }

    /** Event time, µs since the epoch. */
    public long timeUs() {
        return timeUs;
    }

    /** Offset in the log. */
    public long offset() {
        return offset;
    }

    /** LONG, TIMESTAMP (µs), MONEY (minor units), BOOL (0 or 1), DOUBLE (its bits). */
    public void setNumber(int slot, long value) {
        numbers[slot] = value;
        present |= 1L << slot;
    }

    public void setText(int slot, String value) {
        texts[slot] = value;
    }

    public boolean hasNumber(int slot) {
        return (present & 1L << slot) != 0;
    }

    public long number(int slot) {
        return numbers[slot];
    }

    public double doubleValue(int slot) {
        return Double.longBitsToDouble(numbers[slot]);
    }

    public @Nullable String text(int slot) {
        return texts[slot];
    }

    /** Takes over the fields of an event of the same layout that lies in these arrays. */
    void setFields(long presentNumbers, long[] from, int numbersAt, @Nullable String[] fromTexts, int textsAt) {
        present = presentNumbers;
        System.arraycopy(from, numbersAt, numbers, 0, numbers.length);
        System.arraycopy(fromTexts, textsAt, texts, 0, texts.length);
    }

    /** Puts the numbers there; gives the slots that have one, as bits. */
    long copyNumbers(long[] to, int at) {
        System.arraycopy(numbers, 0, to, at, numbers.length);
        return present;
    }

    void copyTexts(@Nullable String[] to, int at) {
        System.arraycopy(texts, 0, to, at, texts.length);
    }

    void writeFields(ByteSink sink) {
        writeFields(layout, present, numbers, 0, texts, 0, sink);
    }

    /** Writes which fields an event has, and these (docs/formats/state.md). */
    static void writeFields(
            EventLayout layout,
            long presentNumbers,
            long[] numbers,
            int numbersAt,
            @Nullable String[] texts,
            int textsAt,
            ByteSink sink) {
        long present = 0;
        for (int field = 0; field < layout.fieldCount(); field++) {
            int slot = layout.slot(field);
            boolean has = layout.type(field) == FieldType.STRING
                    ? texts[textsAt + slot] != null
                    : (presentNumbers & 1L << slot) != 0;
            present |= has ? 1L << field : 0;
        }
        sink.writeVarint(present);
        for (int field = 0; field < layout.fieldCount(); field++) {
            if ((present & 1L << field) != 0) {
                int slot = layout.slot(field);
                switch (layout.type(field)) {
                    case STRING -> sink.writeText(java.util.Objects.requireNonNull(texts[textsAt + slot]));
                    case DOUBLE -> sink.writeFixed64(numbers[numbersAt + slot]);
                    case LONG, MONEY, TIMESTAMP, BOOL -> sink.writeSigned(numbers[numbersAt + slot]);
                }
            }
        }
    }

    String[] labels() {
        return labels;
    }

    void setLabels(String[] known) {
        labels = known;
    }

    /** Whether the label is known of this event and true. */
    public boolean isLabelled(String label) {
        for (String known : labels) {
            if (known.equals(label)) {
                return true;
            }
        }
        return false;
    }

    /** Makes a label true or takes it away; false if it was so already. */
    public boolean label(String label, boolean value) {
        if (isLabelled(label) == value) {
            return false;
        }
        java.util.TreeSet<String> changed = new java.util.TreeSet<>(java.util.Arrays.asList(labels));
        if (value) {
            changed.add(label);
        } else {
            changed.remove(label);
        }
        labels = changed.toArray(NO_LABELS);
        return true;
    }

    /** This event in another layout of its type; fields that the other lacks are left out. */
    StoredEvent in(EventLayout target) {
        StoredEvent moved = new StoredEvent(target, source, id, timeUs, offset);
        moved.labels = labels;
        for (int field = 0; field < layout.fieldCount(); field++) {
            int to = target.indexOf(layout.field(field));
            if (to < 0) {
                continue;
            }
            if (layout.type(field) == FieldType.STRING) {
                moved.texts[target.slot(to)] = texts[layout.slot(field)];
            } else if (hasNumber(layout.slot(field))) {
                moved.setNumber(target.slot(to), numbers[layout.slot(field)]);
            }
        }
        return moved;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoredEvent event
                && event.identityHash == identityHash
                && event.id.equals(id)
                && event.source.equals(source);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(identityHash);
    }
}
