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
    private int idHash;
    private long timeUs;
    private final long offset;
    private final long[] numbers;
    private final @Nullable String[] texts;
    private long present;
    private String[] labels = NO_LABELS;

    private static final String[] NO_LABELS = {};

    /** An event without field values yet. */
    public StoredEvent(EventLayout layout, String source, String id, long timeUs, long offset) {
        this.layout = layout;
        this.source = source;
        this.id = id;
        this.idHash = id.hashCode();
        this.timeUs = timeUs;
        this.offset = offset;
        this.numbers = new long[layout.numberCount()];
        this.texts = new String[layout.textCount()];
    }

    /** Tells who it is, of an event whose fields were read before that was known. */
    public void identify(String newSource, String newId, long newTimeUs) {
        source = newSource;
        id = newId;
        idHash = newId.hashCode();
        timeUs = newTimeUs;
    }

    public EventLayout layout() {
        return layout;
    }

    public String source() {
        return source;
    }

    int idHash() {
        return idHash;
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

    boolean hasLabels() {
        return labels.length > 0;
    }

    String[] labels() {
        return labels;
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
                && event.idHash == idHash
                && event.id.equals(id)
                && event.source.equals(source);
    }

    @Override
    public int hashCode() {
        return idHash;
    }
}
