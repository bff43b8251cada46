package dev.vigil.scoring.state;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that a task knows of one account. One thread. */
public final class EntityState {
    private final String entity;
    private final Timeline timeline;
    /** Of another object only while there are rows, which most accounts of most policies have not. */
    private Map<String, StoredEvent> references = Map.of();

    private boolean referencesChanged;
    private boolean used;
    private boolean dirty;
    private long dirtySinceStep;
    private long counted;
    private @Nullable Object derived;

    EntityState(String entity, Timeline timeline) {
        this.entity = entity;
        this.timeline = timeline;
    }

    public String entity() {
        return entity;
    }

    public Timeline timeline() {
        return timeline;
    }

    /** The row under the reference's name, its fields laid out like an event's; null if there is none. */
    public @Nullable StoredEvent reference(String name) {
        return references.get(name);
    }

    public void setReference(String name, StoredEvent row) {
        if (references.isEmpty()) {
            references = new LinkedHashMap<>();
        }
        references.put(name, row);
        referencesChanged = true;
    }

    public void removeReference(String name) {
        if (!references.isEmpty()) {
            references.remove(name);
            referencesChanged = true;
        }
    }

    Map<String, StoredEvent> references() {
        return references;
    }

    /** What the windows derived from the timeline, to be derived again whenever it is not there. */
    public @Nullable Object derived() {
        return derived;
    }

    public void setDerived(Object derived) {
        this.derived = derived;
    }

    /** Whether nothing is known of the account. */
    boolean isEmpty() {
        return timeline.size() == 0 && references.isEmpty();
    }

    /** Lets go of events at or before the horizon, and with the last one of what was derived; reference rows stay. */
    void forgetEvents(long horizonUs, int maxBlocks) {
        timeline.prune(horizonUs, maxBlocks);
        if (timeline.size() == 0) {
            timeline.startAnew();
            derived = null;
        }
    }

    void moveToCurrentLayouts(LayoutRegistry layouts) {
        timeline.moveToCurrentLayouts(layouts);
        if (!references.isEmpty()) {
            references.replaceAll((name, row) -> layouts.inCurrent(row));
        }
        derived = null;
    }

    /** Whether what the head says, blocks and references, has changed since the last call. */
    boolean drainHeadChanged() {
        boolean drained = timeline.drainBlocksCameOrLeft() | referencesChanged;
        referencesChanged = false;
        return drained;
    }

    /** How many events it counted as in memory, itself as several, the last time that was looked at. */
    long counted() {
        return counted;
    }

    /** Counts again; gives the difference. */
    long recount() {
        long before = counted;
        counted = timeline.size() + EntityStates.EVENTS_PER_ACCOUNT;
        return counted - before;
    }

    void use() {
        used = true;
    }

    /** Whether it was used since the last call. */
    boolean drainUsed() {
        boolean drained = used;
        used = false;
        return drained;
    }

    boolean isDirty() {
        return dirty;
    }

    long lastStep() {
        return dirtySinceStep;
    }

    void markDirty() {
        dirty = true;
    }

    void markWritten(long step) {
        dirty = false;
        dirtySinceStep = step;
    }
}
