package dev.vigil.scoring.state;

import dev.vigil.event.FieldType;
import java.util.ArrayList;
import java.util.List;

/**
 * Which field of an event stands where in a {@link StoredEvent}: texts in one array, everything else in another. Compared
 * by what it says. A field is known by name and type together: one that changed its type is another field.
 */
public final class EventLayout {
    /** A field of a type of event. */
    public record Field(String name, FieldType type) {}

    /** More would not fit the mask of fields that are present. */
    public static final int MAX_FIELDS = 64;

    private final String eventType;
    private final List<Field> fields;
    private final FieldType[] types;
    private final int[] slots;
    private final int numberCount;
    private final int textCount;

    public EventLayout(String eventType, List<Field> fields) {
        if (fields.size() > MAX_FIELDS) {
            throw new IllegalArgumentException(eventType + " has " + fields.size() + " fields");
        }
        this.eventType = eventType;
        this.fields = List.copyOf(fields);
        this.types = fields.stream().map(Field::type).toArray(FieldType[]::new);
        this.slots = new int[fields.size()];
        int numbers = 0;
        int texts = 0;
        for (int i = 0; i < slots.length; i++) {
            slots[i] = fields.get(i).type() == FieldType.STRING ? texts++ : numbers++;
        }
        this.numberCount = numbers;
        this.textCount = texts;
    }

    public String eventType() {
        return eventType;
    }

    public int fieldCount() {
        return slots.length;
    }

    public Field field(int field) {
        return fields.get(field);
    }

    public FieldType type(int field) {
        return types[field];
    }

    /** Index into the array of the field's kind. */
    public int slot(int field) {
        return slots[field];
    }

    /** -1 if there is no such field. */
    public int indexOf(Field field) {
        return fields.indexOf(field);
    }

    public int numberCount() {
        return numberCount;
    }

    public int textCount() {
        return textCount;
    }

    /**
     * This layout with the fields of a newer one that it lacks behind its own, so that an event moves there without loss.
     * Where there are too many, the oldest that the newer one lacks are given up.
     */
    EventLayout extendedBy(EventLayout newer) {
        List<Field> all = new ArrayList<>(fields);
        for (Field field : newer.fields) {
            if (!all.contains(field)) {
                all.add(field);
            }
        }
        for (int i = 0; i < all.size() && all.size() > MAX_FIELDS; ) {
            if (newer.fields.contains(all.get(i))) {
                i++;
            } else {
                all.remove(i);
            }
        }
        return new EventLayout(eventType, all);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EventLayout layout
                && layout.eventType.equals(eventType)
                && layout.fields.equals(fields);
    }

    @Override
    public int hashCode() {
        return 31 * eventType.hashCode() + fields.hashCode();
    }
}
