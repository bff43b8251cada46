package dev.vigil.event;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What Vigil advises for an event, mildest first. */
public enum Decision {
    APPROVE,
    REVIEW,
    DECLINE;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** Lower-case name, as policies and every record spell it. */
    @JsonValue
    public String label() {
        return label;
    }

    /** @throws IllegalArgumentException for anything but a label of a decision */
    @JsonCreator
    public static Decision parse(String label) {
        for (Decision decision : values()) {
            if (decision.label.equals(label)) {
                return decision;
            }
        }
        throw new IllegalArgumentException("expected approve, review or decline, found " + label);
    }
}
