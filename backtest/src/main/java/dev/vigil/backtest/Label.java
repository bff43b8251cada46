package dev.vigil.backtest;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What is known today of an event of the past. Read by the report alone: nothing that scores ever sees it. */
public enum Label {
    FRAUD,
    LEGITIMATE,
    UNKNOWN;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Lower-case name, as every output spells it. */
    @JsonValue
    public String text() {
        return text;
    }
}
