package dev.vigil.event.cases;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** Where a case stands. */
public enum CaseState {
    /** Nobody has looked at it. */
    OPEN,
    /** Somebody looks at it. */
    ACKNOWLEDGED,
    /** Decided, or idle for so long that it was closed by itself; the next alert of its group opens another. */
    CLOSED;

    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException for anything but a label of a state */
    @JsonCreator
    public static CaseState parse(String label) {
        for (CaseState state : values()) {
            if (state.label().equals(label)) {
                return state;
            }
        }
        throw new IllegalArgumentException("expected open, acknowledged or closed, found " + label);
    }
}
