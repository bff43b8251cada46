package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Expression;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.expression.Scope;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.StoredEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which events of an account a window looks at: those of one type for which a condition holds. The condition's scope has
 * some of the layout's fields.
 */
public final class EventFilter {
    private final EventLayout layout;
    private final @Nullable Expression condition;
    private final List<Scope.Variable> reads;
    private final int[] slots;
    private final Frame frame;

    /** @param scope of the condition; each of its variables is the layout's field of that name and type */
    public EventFilter(EventLayout layout, Scope scope, @Nullable Expression condition) {
        this.layout = layout;
        this.condition = condition;
        this.reads = condition == null ? List.of() : condition.reads();
        this.slots = reads.stream()
                .mapToInt(read -> layout.slot(layout.indexOf(new EventLayout.Field(read.name(), read.type()))))
                .toArray();
        this.frame = new Frame(scope.size());
    }

    EventLayout layout() {
        return layout;
    }

    /** The fields that the condition reads. */
    List<EventLayout.Field> fields() {
        return reads.stream()
                .map(read -> new EventLayout.Field(read.name(), read.type()))
                .toList();
    }

    boolean accepts(StoredEvent event) {
        if (event.layout() != layout) {
            return false;
        }
        if (condition == null) {
            return true;
        }
        for (int i = 0; i < slots.length; i++) {
            load(event, reads.get(i), slots[i]);
        }
        return condition.holds(frame);
    }

    private void load(StoredEvent event, Scope.Variable variable, int slot) {
        frame.setAbsent(variable.slot());
        if (variable.type() == FieldType.STRING) {
            String text = event.text(slot);
            if (text != null) {
                frame.setText(variable.slot(), text);
            }
        } else if (event.hasNumber(slot)) {
            frame.setNumber(variable.slot(), event.number(slot));
        }
    }
}
