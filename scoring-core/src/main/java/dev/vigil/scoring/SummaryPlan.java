package dev.vigil.scoring;

import dev.vigil.event.MinorUnits;
import dev.vigil.scoring.ScoringPlan.Slot;
import dev.vigil.scoring.expression.Frame;
import dev.vigil.scoring.policy.FeatureDeclaration.Windowed;
import dev.vigil.scoring.policy.SummaryDeclaration;
import dev.vigil.scoring.policy.TumblingWindow;
import dev.vigil.scoring.state.EntityState;
import dev.vigil.scoring.window.EventFilter;
import dev.vigil.scoring.window.LookBack;
import dev.vigil.scoring.window.WindowGroup;
import dev.vigil.scoring.window.WindowPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** A summary made ready to run. One thread. */
final class SummaryPlan {
    private final String name;
    private final TumblingWindow window;
    private final List<Slot> values = new ArrayList<>();
    private final List<WindowGroup> groups;
    private final List<LookBack> lookBacks;
    private final Frame frame;

    /** The window of the last time that was asked for; most events are in the same as the one before. */
    private long startUs;

    private long endUs;

    SummaryPlan(SummaryDeclaration declared, MinorUnits currency, Function<Windowed, EventFilter> filters) {
        this.name = declared.name();
        this.window = declared.window();
        WindowPlan windows = new WindowPlan(currency, filters);
        for (Windowed value : declared.values()) {
            Slot slot = new Slot(value.name(), WindowPlan.type(value), values.size());
            values.add(slot);
            windows.add(value, slot.slot());
        }
        this.groups = windows.groups();
        this.lookBacks = windows.lookBacks();
        this.frame = new Frame(values.size());
    }

    String name() {
        return name;
    }

    List<Slot> values() {
        return values;
    }

    /** Makes the window that holds the time the current one. */
    void moveTo(long timeUs) {
        if (timeUs < startUs || timeUs >= endUs) {
            startUs = window.startUs(timeUs);
            endUs = window.endUs(timeUs);
        }
    }

    long startUs() {
        return startUs;
    }

    long endUs() {
        return endUs;
    }

    /** The values over the current window, by slot. */
    Frame evaluate(EntityState state) {
        for (WindowGroup group : groups) {
            group.evaluateOver(state, startUs - 1, endUs - 1, frame);
        }
        for (LookBack lookBack : lookBacks) {
            lookBack.evaluateOver(state, startUs - 1, endUs - 1, frame);
        }
        return frame;
    }
}
