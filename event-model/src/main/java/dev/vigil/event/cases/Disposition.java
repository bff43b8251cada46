package dev.vigil.event.cases;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What an analyst found a case to be. */
public enum Disposition {
    /** Its events are labelled as fraud. */
    FRAUD,
    /** Its events are labelled as no fraud. */
    LEGITIMATE,
    /** Its events stay without a label. */
    UNSURE;

    @JsonValue
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** @throws IllegalArgumentException for anything but a label of a disposition */
    @JsonCreator
    public static Disposition parse(String label) {
        for (Disposition disposition : values()) {
            if (disposition.label().equals(label)) {
                return disposition;
            }
        }
        throw new IllegalArgumentException("expected fraud, legitimate or unsure, found " + label);
    }
}
