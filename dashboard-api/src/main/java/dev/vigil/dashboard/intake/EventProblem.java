package dev.vigil.dashboard.intake;

import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a submitted event.
 *
 * @param index of the event in its batch, from 0; absent where the whole body is meant
 * @param field attribute, or JSON pointer into the data; absent where the whole event is meant
 * @param code for programs: one of the constants here, or why the engine would refuse the event, as in
 *     {@link dev.vigil.event.DeadLetter.Reason#code}
 * @param detail for people: expected and found, without card numbers
 */
public record EventProblem(
        @Nullable Integer index, @Nullable String field, String code, String detail) {
    public static final String MISSING = "missing";
    public static final String MALFORMED = "malformed";
    public static final String RESERVED = "reserved";
    public static final String CARD_NUMBER = "card_number";
    public static final String TOO_LARGE = "too_large";
    public static final String UNKNOWN_SCHEMA = "unknown_schema";
    public static final String UNKNOWN_FIELD = "unknown_field";
}
