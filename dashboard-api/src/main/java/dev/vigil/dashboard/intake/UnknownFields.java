package dev.vigil.dashboard.intake;

import java.util.Locale;

/** What becomes of an event with a field that its type does not declare. The engine skips such a field. */
public enum UnknownFields {
    /** Accepted without a word. */
    IGNORE,
    /** Accepted, named in the answer and counted. */
    WARN,
    REFUSE;

    static UnknownFields parse(String text) {
        for (UnknownFields mode : values()) {
            if (mode.label().equals(text)) {
                return mode;
            }
        }
        throw new IllegalArgumentException(text);
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
