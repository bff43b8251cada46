package dev.vigil.dashboard.deadletter;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a dead letter stands in the topic of dead letters; written {@code partition:offset}. */
public record LetterPosition(int partition, long offset) implements Comparable<LetterPosition> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9}):(\\d{1,18})");
    private static final Comparator<LetterPosition> ORDER =
            Comparator.comparingInt(LetterPosition::partition).thenComparingLong(LetterPosition::offset);

    public LetterPosition {
        if (partition < 0 || offset < 0) {
            throw new IllegalArgumentException("not a position: partition " + partition + ", offset " + offset);
        }
    }

    /** @throws IllegalArgumentException if the text is not of the form that {@link #toString} gives */
    public static LetterPosition parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected partition:offset, as in 3:17, found " + text);
        }
        return new LetterPosition(Integer.parseInt(matcher.group(1)), Long.parseLong(matcher.group(2)));
    }

    @Override
    public int compareTo(LetterPosition other) {
        return ORDER.compare(this, other);
    }

    @Override
    @JsonValue
    public String toString() {
        return partition + ":" + offset;
    }
}
