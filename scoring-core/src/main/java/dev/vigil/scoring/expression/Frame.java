package dev.vigil.scoring.expression;

import dev.vigil.event.FieldType;
import dev.vigil.event.MinorUnits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of a {@link Scope}'s variables for one event. LONG, TIMESTAMP (µs), MONEY (minor units), BOOL (0 or 1) and
 * DOUBLE (its bits) share one array. Reused from event to event by one thread.
 */
public final class Frame {
    private final long[] numbers;
    private final @Nullable String[] texts;
    private final boolean[] present;

    /** Set while evaluating as soon as an absent value is read; see {@link Expression}. */
    boolean absent;

    public Frame(int size) {
        numbers = new long[size];
        texts = new String[size];
        present = new boolean[size];
    }

    /** Makes every value absent. */
    public void clear() {
        Arrays.fill(present, false);
    }

    public boolean isPresent(int slot) {
        return present[slot];
    }

    public void setNumber(int slot, long value) {
        numbers[slot] = value;
        present[slot] = true;
    }

    /** A value that is not finite becomes absent: it has no place in JSON, and no meaning to a rule. */
    public void setDouble(int slot, double value) {
        numbers[slot] = Double.doubleToRawLongBits(value);
        present[slot] = Double.isFinite(value);
    }

    public void setText(int slot, String value) {
        texts[slot] = value;
        present[slot] = true;
    }

    public void setAbsent(int slot) {
        present[slot] = false;
    }

    /** The raw number of a slot that is present. */
    public long number(int slot) {
        return numbers[slot];
    }

    public double doubleValue(int slot) {
        return Double.longBitsToDouble(numbers[slot]);
    }

    /** @throws NullPointerException if the slot has never held a text */
    public String text(int slot) {
        return java.util.Objects.requireNonNull(texts[slot]);
    }

    /** The value as {@link FieldType} names its Java type; null where absent. */
    public @Nullable Object value(int slot, FieldType type, MinorUnits currency) {
        if (!present[slot]) {
            return null;
        }
        return switch (type) {
            case STRING -> text(slot);
            case BOOL -> numbers[slot] != 0;
            case LONG, TIMESTAMP -> numbers[slot];
            case DOUBLE -> doubleValue(slot);
            case MONEY -> currency.toDecimal(numbers[slot]);
        };
    }
}
