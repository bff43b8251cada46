package dev.vigil.scoring.state;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All that a task knows of one account. One thread. */
public final class EntityState {
    private final String entity;
    private final Timeline timeline;
    private final Map<String, StoredEvent> references = new LinkedHashMap<>();
    private boolean referencesChanged;
    private boolean dirty;
    private long dirtySinceStep;
    private @Nullable Object cursors;

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
        references.put(name, row);
        referencesChanged = true;
    }

    public void removeReference(String name) {
        references.remove(name);
        referencesChanged = true;
    }

    Map<String, StoredEvent> references() {
        return references;
    }

    /** What the windows derived from the timeline, to be derived again whenever it is not there. */
    public @Nullable Object cursors() {
        return cursors;
    }

    public void setCursors(Object cursors) {
        this.cursors = cursors;
    }

    /** Whether nothing is known of the account. */
    boolean isEmpty() {
        return timeline.size() == 0 && references.isEmpty();
    }

    /** Lets go of all events; reference rows stay. */
    void forgetEvents() {
        timeline.clear();
        cursors = null;
    }

    void moveToCurrentLayouts(LayoutRegistry layouts) {
        timeline.moveToCurrentLayouts(layouts);
        references.replaceAll((name, row) -> layouts.inCurrent(row));
        cursors = null;
    }

    /** Whether what the head says, blocks and references, has changed since the last call. */
    boolean drainHeadChanged() {
        boolean drained = timeline.drainBlocksCameOrLeft() | referencesChanged;
        referencesChanged = false;
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
