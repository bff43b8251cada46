package dev.vigil.lakehouse;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.vigil.event.Json;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Where a table stands: what of its topic it holds. Written with every data commit, into the snapshot's summary and into
 * the table's properties, and the fence between two sinks: a commit is refused unless the table still stands where the
 * batch began. Its text form is part of the table format (docs/formats/history.md).
 *
 * @param format 1
 * @param topicId of the consumed topic; "" before the first commit
 * @param next by partition of the consumed topic, the offset to read next
 * @param sources by {@code topicId:partition} of the log, what is covered; empty for a table whose records do not carry
 *     their position in the log
 * @param rows committed over the table's life
 * @param commits by a sink over the table's life
 * @param committedAtMs when this was committed, ms since the epoch; 0 before the first commit
 */
public record Positions(
        int format,
        String topicId,
        SortedMap<Integer, Long> next,
        SortedMap<String, SourceMark> sources,
        long rows,
        long commits,
        long committedAtMs) {
    /** Name in snapshot summaries and table properties. */
    public static final String PROPERTY = "vigil.positions";

    /** Of a table without a commit. */
    public static final Positions NONE = new Positions(1, "", new TreeMap<>(), new TreeMap<>(), 0, 0, 0);

    public Positions {
        if (format != 1) {
            throw new IllegalArgumentException("expected positions of format 1, found format " + format
                    + "; the table was written by a newer Vigil");
        }
        next = Collections.unmodifiableSortedMap(new TreeMap<>(next));
        sources = Collections.unmodifiableSortedMap(new TreeMap<>(sources));
    }

    /** The same coverage of the log, but from the start of another topic: the former one was deleted. */
    Positions onTopic(String newTopicId) {
        return new Positions(format, newTopicId, new TreeMap<>(), sources, rows, commits, committedAtMs);
    }

    public String encode() {
        try {
            return Json.mapper().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("positions cannot be written as JSON", e);
        }
    }

    /**
     * @param text as {@link #encode} gave it; absent for a table without a commit
     * @throws IllegalArgumentException if it is none
     */
    public static Positions decode(@Nullable String text) {
        if (text == null) {
            return NONE;
        }
        try {
            return Json.mapper().readValue(text, Positions.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not readable as " + PROPERTY + ": " + e.getOriginalMessage(), e);
        }
    }
}
