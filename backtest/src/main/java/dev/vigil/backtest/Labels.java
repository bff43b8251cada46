package dev.vigil.backtest;

import java.util.HashMap;
import java.util.Map;

/** Labels by event id, from a file beside the events. They take precedence over a label that came with its event. */
public final class Labels {
    private final Map<String, Label> byEventId;
    private final long unreadable;

    /** @param unreadable how many lines of the file said neither fraud nor legitimate */
    public Labels(Map<String, Label> byEventId, long unreadable) {
        this.byEventId = new HashMap<>(byEventId);
        this.unreadable = unreadable;
    }

    public static Labels none() {
        return new Labels(Map.of(), 0);
    }

    Label of(String eventId, Label withEvent) {
        return byEventId.getOrDefault(eventId, withEvent);
    }

    long size() {
        return byEventId.size();
    }

    long unreadable() {
        return unreadable;
    }
}
