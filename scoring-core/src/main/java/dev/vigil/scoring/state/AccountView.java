package dev.vigil.scoring.state;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An account as an event of it saw it: the event, and the ones before it in the log that a window of it may look at; beside them
 * those that came later in the log and lie in the same windows. A copy, safe for any thread.
 */
public final class AccountView {
    private final String account;
    private final StoredEvent event;
    private final List<StoredEvent> earlier;
    private final List<StoredEvent> later;
    private final Map<String, StoredEvent> references;
    private final LayoutRegistry layouts;
    private final boolean isWhole;

    /**
     * On the task's thread.
     *
     * @param event of the account's timeline, a copy
     * @param lookBackUs longest that a window reaches back
     */
    public AccountView(EntityState state, LayoutRegistry layouts, StoredEvent event, long lookBackUs) {
        this.account = state.entity();
        this.event = event;
        this.earlier = new ArrayList<>();
        this.later = new ArrayList<>();
        this.references = new LinkedHashMap<>(state.references());
        this.layouts = layouts.copy();
        this.isWhole = state.timeline().isWhole();
        for (Block block = state.timeline().first(); block != null; block = block.next) {
            for (int i = 0; i < block.count; i++) {
                if (block.timeUs(i) <= event.timeUs() - lookBackUs) {
                    continue;
                }
                if (block.offset(i) < event.offset()) {
                    earlier.add(block.event(i));
                } else if (block.offset(i) > event.offset() && block.timeUs(i) <= event.timeUs()) {
                    later.add(block.event(i));
                }
            }
        }
    }

    public String account() {
        return account;
    }

    public StoredEvent event() {
        return event;
    }

    /** Whether no event of the account was ever forgotten. */
    public boolean isWhole() {
        return isWhole;
    }

    /** Layouts of the task with none current yet, for the plan that is to read this. */
    public LayoutRegistry layouts() {
        return layouts.copy();
    }

    /** The event in the current layout of its type. */
    public StoredEvent event(LayoutRegistry current) {
        return current.inCurrent(event);
    }

    /** The account with the earlier events, in the layouts that are current there. */
    public EntityState before(LayoutRegistry current) {
        return with(List.of(earlier), current);
    }

    /** How many events came later in the log that are not later in time, and within reach of the event's windows. */
    public int laterCount() {
        return later.size();
    }

    /** As {@link #before}, with the later ones. */
    public EntityState now(LayoutRegistry current) {
        return with(List.of(earlier, later), current);
    }

    private EntityState with(List<List<StoredEvent>> seen, LayoutRegistry current) {
        EntityState state = new EntityState(account, new Timeline(0));
        seen.forEach(events -> events.forEach(one -> state.timeline().insert(current.inCurrent(one))));
        references.forEach((name, row) -> state.setReference(name, current.inCurrent(row)));
        return state;
    }
}
