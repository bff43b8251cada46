package dev.vigil.lakehouse;

import dev.vigil.event.SourcePosition;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Positions while a batch grows, and the judge of repeats (law 3): a record whose log position was passed already is one.
 * One thread.
 */
final class PositionTracker {
    private final String topicId;
    private final SortedMap<Integer, Long> next;
    private final Map<String, Mark> marks = new HashMap<>();

    PositionTracker(Positions start) {
        this.topicId = start.topicId();
        this.next = new TreeMap<>(start.next());
        start.sources().forEach((name, mark) -> marks.put(name, new Mark(mark)));
    }

    /**
     * Moves past a record.
     *
     * @param source log position behind the record; absent: the record counts as new
     * @param key tells outcomes of the same log position apart
     * @return whether it is new, that is no repeat
     */
    boolean pass(RawRecord record, @Nullable SourcePosition source, String key) {
        next.put(record.partition(), record.offset() + 1);
        return source == null
                || marks.computeIfAbsent(source.topicId() + ':' + source.partition(), name -> new Mark())
                        .pass(source.offset(), key);
    }

    Positions positions(long rows, long commits, long committedAtMs) {
        SortedMap<String, SourceMark> sources = new TreeMap<>();
        marks.forEach((name, mark) -> sources.put(name, new SourceMark(mark.offset, mark.keys)));
        return new Positions(1, topicId, next, sources, rows, commits, committedAtMs);
    }

    private static final class Mark {
        private long offset = -1;
        private final TreeSet<String> keys = new TreeSet<>();

        Mark() {}

        Mark(SourceMark mark) {
            offset = mark.offset();
            keys.addAll(mark.keys());
        }

        boolean pass(long newOffset, String key) {
            if (newOffset > offset) {
                offset = newOffset;
                keys.clear();
            }
            return newOffset == offset && keys.add(key);
        }
    }
}
