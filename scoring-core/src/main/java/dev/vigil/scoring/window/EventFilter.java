package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.expression.Expression;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.expression.Scope;
import dev.vigil.scoring.state.Block;
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

    boolean accepts(Block block, int index) {
        if (block.layout(index) != layout) {
            return false;
        }
        if (condition == null) {
            return true;
        }
        for (int i = 0; i < slots.length; i++) {
            Scope.Variable read = reads.get(i);
            int slot = slots[i];
            if (read.type() == FieldType.STRING) {
                load(read, block.text(index, slot));
            } else {
                load(read, block.hasNumber(index, slot), block.number(index, slot));
            }
        }
        return condition.holds(frame);
    }

    boolean accepts(StoredEvent event) {
        if (event.layout() != layout) {
            return false;
        }
        if (condition == null) {
            return true;
        }
        for (int i = 0; i < slots.length; i++) {
            Scope.Variable read = reads.get(i);
            int slot = slots[i];
            if (read.type() == FieldType.STRING) {
                load(read, event.text(slot));
            } else {
                load(read, event.hasNumber(slot), event.number(slot));
            }
        }
        return condition.holds(frame);
    }

    private void load(Scope.Variable variable, @Nullable String text) {
        if (text == null) {
            frame.setAbsent(variable.slot());
        } else {
            frame.setText(variable.slot(), text);
        }
    }

    private void load(Scope.Variable variable, boolean isThere, long number) {
        if (isThere) {
            frame.setNumber(variable.slot(), number);
        } else {
            frame.setAbsent(variable.slot());
        }
    }
}
