package dev.vigil.scoring.state;

import dev.vigil.event.FieldType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The layouts that events of this task were ever stored in, by number, and the one that is current for each event type.
 * Part of the task's state, since stored events name their layout by its number.
 */
public final class LayoutRegistry {
    private final List<EventLayout> layouts = new ArrayList<>();
    private final Map<EventLayout, Integer> numbers = new HashMap<>();
    private final Map<String, EventLayout> current = new HashMap<>();

    /**
     * Makes a layout, extended by every field that the type's events were stored with so far, the current one of its
     * type. Nothing is lost when a policy drops a field and a later one takes it up again, whenever blocks are rewritten.
     */
    public EventLayout activate(EventLayout declared) {
        EventLayout latest = declared;
        for (EventLayout layout : layouts) {
            if (layout.eventType().equals(declared.eventType())) {
                latest = layout;
            }
        }
        EventLayout own = layouts.get(number(latest.extendedBy(declared)));
        current.put(own.eventType(), own);
        return own;
    }

    int number(EventLayout layout) {
        Integer known = numbers.get(layout);
        if (known != null) {
            return known;
        }
        layouts.add(layout);
        numbers.put(layout, layouts.size() - 1);
        return layouts.size() - 1;
    }

    EventLayout byNumber(int number) {
        if (number >= layouts.size()) {
            throw new StateFormatException("event layout " + number + ", but only " + layouts.size() + " are known");
        }
        return layouts.get(number);
    }

    /** The event in the current layout of its type; as it is where its type has none. */
    StoredEvent inCurrent(StoredEvent event) {
        EventLayout target = current.get(event.layout().eventType());
        return target == null || target == event.layout() ? event : event.in(target);
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

    static LayoutRegistry read(ByteSource source) {
        LayoutRegistry registry = new LayoutRegistry();
        int count = source.readCount();
        for (int i = 0; i < count; i++) {
            String eventType = source.readText();
            List<EventLayout.Field> fields = new ArrayList<>();
            int fieldCount = source.readCount();
            for (int field = 0; field < fieldCount; field++) {
                fields.add(new EventLayout.Field(source.readText(), FieldType.parse(source.readText())));
            }
            EventLayout layout = new EventLayout(eventType, fields);
            registry.number(layout);
        }
        return registry;
    }
}
