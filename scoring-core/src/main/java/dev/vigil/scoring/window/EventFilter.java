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
 * the layout's fields in its order.
 */
public final class EventFilter {
    private final EventLayout layout;
    private final @Nullable Expression condition;
    private final List<Scope.Variable> reads;
    private final Frame frame;

    public EventFilter(EventLayout layout, @Nullable Expression condition) {
        this.layout = layout;
        this.condition = condition;
        this.reads = condition == null ? List.of() : condition.reads();
        this.frame = new Frame(layout.fieldCount());
    }

    EventLayout layout() {
        return layout;
    }

    boolean accepts(StoredEvent event) {
        if (event.layout() != layout) {
            return false;
        }
        if (condition == null) {
            return true;
        }
        for (Scope.Variable read : reads) {
            load(event, read);
        }
        return condition.holds(frame);
    }

    private void load(StoredEvent event, Scope.Variable variable) {
        int slot = layout.slot(variable.slot());
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
