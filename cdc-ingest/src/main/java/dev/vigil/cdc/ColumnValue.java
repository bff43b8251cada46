package dev.vigil.cdc;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.EventTimes;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** One column of a row, independent of how it was captured. SQL NULL is {@link Null}. */
public sealed interface ColumnValue {

    /** As part of an identity or as an account id. Only for values without a {@link #problem()}. */
    String text();

    /** As a JSON value. Only for values without a {@link #problem()}. */
    void write(JsonGenerator json) throws IOException;

    /** Why the value cannot be used, if it cannot. */
    default Optional<Problem> problem() {
        return Optional.empty();
    }

    /** @param found what was expected and what was found, without the column's name */
    record Problem(Reason reason, String found) {}

    /** SQL NULL. */
    record Null() implements ColumnValue {
        @Override
        public String text() {
            return "";
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeNull();
        }
    }

    record Text(String text) implements ColumnValue {
        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeString(text);
        }
    }

    /**
     * An exact decimal. It is written as a JSON string, so that no reader on the way makes a binary fraction of it. NaN
     * and the infinities, which PostgreSQL's {@code numeric} knows, are no amounts.
     */
    record Decimal(String text) implements ColumnValue {
        private static final Pattern FINITE = Pattern.compile("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?");

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeString(text);
        }

        @Override
        public Optional<Problem> problem() {
            return FINITE.matcher(text).matches()
                    ? Optional.empty()
                    : Optional.of(new Problem(Reason.BAD_AMOUNT, "expected a finite decimal, found " + text));
        }
    }

    record Whole(long value) implements ColumnValue {
        @Override
        public String text() {
            return Long.toString(value);
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeNumber(value);
        }
    }

    record Floating(double value) implements ColumnValue {
        @Override
        public String text() {
            return Double.toString(value);
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeNumber(value);
        }

        @Override
        public Optional<Problem> problem() {
            return Double.isFinite(value)
                    ? Optional.empty()
                    : Optional.of(new Problem(Reason.BAD_FIELD, "expected a finite number, found " + value));
        }
    }

    record Flag(boolean value) implements ColumnValue {
        @Override
        public String text() {
            return Boolean.toString(value);
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeBoolean(value);
        }
    }

    /** A point in time, µs since 1970-01-01T00:00:00Z; written as RFC 3339 in UTC. */
    record Time(long timeUs) implements ColumnValue {
        @Override
        public String text() {
            return EventTimes.format(timeUs);
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            json.writeString(text());
        }
    }

    /**
     * What held a card number, without it.
     *
     * @param published what may go into the log: a text with a token, or {@link Unusable}
     * @param names the text with a token under each key, the one in use first: what a row is remembered and found by, which
     *     stays below the data directory; empty where there are no keys
     */
    record Card(ColumnValue published, List<String> names) implements ColumnValue {
        public Card {
            names = List.copyOf(names);
        }

        @Override
        public String text() {
            return published.text();
        }

        @Override
        public void write(JsonGenerator json) throws IOException {
            published.write(json);
        }

        @Override
        public Optional<Problem> problem() {
            return published.problem();
        }
    }

    /** A large value that an update left as it was and that the database does not log again. */
    record Unchanged() implements ColumnValue {
        private static final String FOUND =
                "expected a value, found it unchanged and not logged; REPLICA IDENTITY FULL logs it";

        @Override
        public String text() {
            throw new IllegalStateException(FOUND);
        }

        @Override
        public void write(JsonGenerator json) {
            throw new IllegalStateException(FOUND);
        }

        @Override
        public Optional<Problem> problem() {
            return Optional.of(new Problem(Reason.BAD_FIELD, FOUND));
        }
    }

    /** A value that is there but cannot be known or represented; never stands for a real value. */
    record Unusable(Reason reason, String found) implements ColumnValue {
        /** What a row says of a column that it does not have. */
        public static Unusable noSuchColumn() {
            return new Unusable(
                    Reason.BAD_FIELD, "expected a column of that name, found that the table has none any more");
        }

        @Override
        public String text() {
            throw new IllegalStateException(found);
        }

        @Override
        public void write(JsonGenerator json) {
            throw new IllegalStateException(found);
        }

        @Override
        public Optional<Problem> problem() {
            return Optional.of(new Problem(reason, found));
        }
    }
}
