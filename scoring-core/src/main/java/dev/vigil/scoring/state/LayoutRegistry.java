package dev.vigil.scoring.state;

import dev.vigil.event.FieldType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The layouts that events of this task were ever stored in, by number, and the one that is current for each event type.
 * Part of the task's state, since stored events name their layout by its number.
 */
public final class LayoutRegistry {
    private final List<EventLayout> layouts = new ArrayList<>();
    private final Map<EventLayout, Integer> numbers = new HashMap<>();
    private final Map<String, EventLayout> current = new HashMap<>();

    /** Makes a layout the current one of its event type, and returns the registry's own instance of it. */
    public EventLayout activate(EventLayout layout) {
        EventLayout own = layouts.get(number(layout));
        current.put(own.eventType(), own);
        return own;
    }

    /** Ends the currency of all, before another policy activates its own. */
    public void deactivateAll() {
        current.clear();
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

    @Nullable
    EventLayout current(String eventType) {
        return current.get(eventType);
    }

    void write(ByteSink sink) {
        sink.writeVarint(layouts.size());
        for (EventLayout layout : layouts) {
            sink.writeText(layout.eventType());
            sink.writeVarint(layout.fieldCount());
            for (int field = 0; field < layout.fieldCount(); field++) {
                sink.writeText(layout.name(field));
                sink.writeText(layout.type(field).label());
            }
        }
    }

    static LayoutRegistry read(ByteSource source) {
        LayoutRegistry registry = new LayoutRegistry();
        int count = source.readCount();
        for (int i = 0; i < count; i++) {
            String eventType = source.readText();
            Map<String, FieldType> fields = new LinkedHashMap<>();
            int fieldCount = source.readCount();
            for (int field = 0; field < fieldCount; field++) {
                fields.put(source.readText(), FieldType.parse(source.readText()));
            }
            registry.number(new EventLayout(eventType, fields));
        }
        return registry;
    }
}
