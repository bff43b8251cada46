package dev.vigil.scoring.state;

import dev.vigil.event.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Which field of an event stands where in a {@link StoredEvent}: texts in one array, everything else in another.
 * Compared by what it says, so that a policy that changes nothing here reads the blocks as they are.
 */
public final class EventLayout {
    private final String eventType;
    private final List<String> names;
    private final List<FieldType> types;
    private final int[] slots;
    private final int numberCount;
    private final int textCount;

    public EventLayout(String eventType, Map<String, FieldType> fields) {
        this.eventType = eventType;
        this.names = List.copyOf(fields.keySet());
        this.types = new ArrayList<>(fields.values());
        this.slots = new int[names.size()];
        int numbers = 0;
        int texts = 0;
        for (int i = 0; i < slots.length; i++) {
            slots[i] = types.get(i) == FieldType.STRING ? texts++ : numbers++;
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

    public String name(int field) {
        return names.get(field);
    }

    public FieldType type(int field) {
        return types.get(field);
    }

    /** Index into the array of the field's kind. */
    public int slot(int field) {
        return slots[field];
    }

    /** -1 if there is no such field. */
    public int indexOf(String name) {
        return names.indexOf(name);
    }

    public int numberCount() {
        return numberCount;
    }

    public int textCount() {
        return textCount;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof EventLayout layout
                && layout.eventType.equals(eventType)
                && layout.names.equals(names)
                && layout.types.equals(types);
    }

    @Override
    public int hashCode() {
        return 31 * eventType.hashCode() + names.hashCode();
    }
}
