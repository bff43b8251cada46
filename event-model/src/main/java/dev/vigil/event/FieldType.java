package dev.vigil.event;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * Type of an event field or a feature.
 *
 * <p>In JSON: STRING and BOOL as themselves, LONG as an integer, DOUBLE as a number, TIMESTAMP as microseconds since
 * 1970-01-01T00:00:00Z, MONEY as a number in major units with exactly the currency's digits ({@code 57.16}, JPY
 * {@code 5000}). In memory: String, Boolean, Long, Double, Long (µs), {@link java.math.BigDecimal}. Absent is absent.
 */
public enum FieldType {
    STRING,
    LONG,
    DOUBLE,
    BOOL,
    TIMESTAMP,
    MONEY;

    private final String label = name().toLowerCase(Locale.ROOT);

    @JsonValue
    public String label() {
        return label;
    }

    /** @throws IllegalArgumentException for an unknown label */
    @JsonCreator
    public static FieldType parse(String label) {
        for (FieldType type : values()) {
            if (type.label.equals(label)) {
                return type;
            }
        }
        throw new IllegalArgumentException("expected string, long, double, bool, timestamp or money, found " + label);
    }
}
