package dev.vigil.scoring.state;

import dev.vigil.event.FieldType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The layouts that events of this task were ever stored in, by number, and the one that is current for each event type.
 * Part of the task's state, since stored events name their layout by its number.
 */
public final class LayoutRegistry {
    private final List<EventLayout> layouts = new ArrayList<>();
    private final Map<EventLayout, Integer> numbers = new IdentityHashMap<>();
    private final Map<String, EventLayout> current = new HashMap<>();
    /** A current one, that of the event that was asked for last; null: look. */
    private @Nullable EventLayout latestCurrent;

    /**
     * Makes a layout, extended by every field that the type's events were stored with so far, the current one of its
     * type. Nothing is lost when a policy drops a field and a later one takes it up again, whenever blocks are rewritten.
     */
    public EventLayout activate(EventLayout declared) {
        EventLayout latest = null;
        for (EventLayout layout : layouts) {
            if (layout.eventType().equals(declared.eventType())) {
                latest = layout;
            }
        }
        EventLayout own = latest == null ? declared : latest.extendedBy(declared);
        if (latest != null && own.equals(latest)) {
            own = latest;
        } else {
            add(own);
        }
        current.put(own.eventType(), own);
        latestCurrent = null;
        return own;
    }

    private void add(EventLayout layout) {
        numbers.put(layout, layouts.size());
        layouts.add(layout);
    }

    /** The same layouts under the same numbers, with none current. */
    LayoutRegistry copy() {
        LayoutRegistry copy = new LayoutRegistry();
        layouts.forEach(copy::add);
        return copy;
    }

    /** How many there are. */
    public int size() {
        return layouts.size();
    }

    int number(EventLayout layout) {
        return Objects.requireNonNull(numbers.get(layout));
    }

    EventLayout byNumber(int number) {
        if (number >= layouts.size()) {
            throw new StateFormatException("event layout " + number + ", but only " + layouts.size() + " are known");
        }
        return layouts.get(number);
    }

    /**
     * The event in the current layout of its type; as it is where its type has none. It goes through every layout between,
     * so that a field which one of them had given up is gone whether the event was in memory meanwhile or not.
     */
    StoredEvent inCurrent(StoredEvent event) {
        if (event.layout() == latestCurrent) {
            return event;
        }
        EventLayout target = current.get(event.layout().eventType());
        StoredEvent moved = event;
        for (int i = number(event.layout()) + 1; target != null && moved.layout() != target; i++) {
            if (layouts.get(i).eventType().equals(target.eventType())) {
                moved = moved.in(layouts.get(i));
            }
        }
        latestCurrent = target == null ? latestCurrent : target;
        return moved;
    }

    void write(ByteSink sink) {
        sink.writeVarint(layouts.size());
        for (EventLayout layout : layouts) {
            sink.writeText(layout.eventType());
            sink.writeVarint(layout.fieldCount());
            for (int field = 0; field < layout.fieldCount(); field++) {
                sink.writeText(layout.field(field).name());
                sink.writeText(layout.type(field).label());
            }
        }
    }

    static FieldType type(String label) {
        try {
            return FieldType.parse(label);
        } catch (IllegalArgumentException e) {
            throw new StateFormatException("a field of type " + label);
        }
    }

    static LayoutRegistry read(ByteSource source) {
        LayoutRegistry registry = new LayoutRegistry();
        int count = source.readCount();
        for (int i = 0; i < count; i++) {
            String eventType = source.readText();
            List<EventLayout.Field> fields = new ArrayList<>();
            int fieldCount = source.readCount();
            for (int field = 0; field < fieldCount; field++) {
                fields.add(new EventLayout.Field(source.readText(), type(source.readText())));
            }
            registry.add(new EventLayout(eventType, fields));
        }
        return registry;
    }
}
