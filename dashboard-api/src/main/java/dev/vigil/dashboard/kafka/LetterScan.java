package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.deadletter.LetterFilter;
import dev.vigil.dashboard.deadletter.LetterPage;
import dev.vigil.dashboard.deadletter.LetterSummary;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.Offsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Letters of all partitions, newest first: each partition is read backwards in stretches, and the newest of what stands at
 * their heads is next. Of a letter only the summary is kept.
 *
 * <p>A cursor is, for each partition in order, the offset below which it has not been looked at.
 */
final class LetterScan {
    /** Records that a page looks at, at most, beyond the first stretch of each partition. */
    private static final long MAX_SCANNED = 20_000;

    private static final int MIN_STRETCH = 20;
    private static final int MAX_STRETCH = 500;
    private static final String SEPARATOR = ".";

    private final BoundedReader reader;
    private final TopicNames topics;
    private final LetterFilter filter;
    private final int stretch;
    private final List<Head> heads = new ArrayList<>();
    private long scanned;

    /** @throws IllegalArgumentException if the cursor is not one of these partitions */
    LetterScan(
            BoundedReader reader,
            TopicNames topics,
            List<TopicPartition> partitions,
            LetterFilter filter,
            int limit,
            @Nullable String cursor) {
        this.reader = reader;
        this.topics = topics;
        this.filter = filter;
        this.stretch = Math.max(MIN_STRETCH, Math.min(MAX_STRETCH, limit));
        Map<TopicPartition, Long> begins = reader.beginnings(partitions);
        Map<TopicPartition, Long> ends = reader.ends(partitions);
        Map<TopicPartition, Long> lows = atTime(partitions, filter.fromMs(), begins, ends);
        Map<TopicPartition, Long> highs =
                filter.toMs() == Long.MAX_VALUE ? ends : atTime(partitions, filter.toMs(), begins, ends);
        List<Long> below = cursor == null ? List.of() : parse(cursor, partitions.size());
        for (int i = 0; i < partitions.size(); i++) {
            TopicPartition partition = partitions.get(i);
            long high = Offsets.of(partition, highs);
            heads.add(new Head(
                    partition, Offsets.of(partition, lows), below.isEmpty() ? high : Math.min(high, below.get(i))));
        }
    }

    private Map<TopicPartition, Long> atTime(
            List<TopicPartition> partitions,
            long timeMs,
            Map<TopicPartition, Long> begins,
            Map<TopicPartition, Long> ends) {
        if (timeMs < 0) {
            return begins;
        }
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, timeMs));
        Map<TopicPartition, OffsetAndTimestamp> found = reader.firstAfter(times);
        Map<TopicPartition, Long> offsets = new HashMap<>();
        partitions.forEach(partition -> {
            OffsetAndTimestamp first = found.get(partition);
            offsets.put(partition, first == null ? Offsets.of(partition, ends) : first.offset());
        });
        return offsets;
    }

    private static List<Long> parse(String cursor, int partitionCount) {
        try {
            List<Long> below =
                    Stream.of(cursor.split("\\.", -1)).map(Long::parseLong).toList();
            if (below.size() == partitionCount && below.stream().allMatch(offset -> offset >= 0)) {
                return below;
            }
        } catch (NumberFormatException e) {
            throw badCursor(e);
        }
        throw badCursor(null);
    }

    private static IllegalArgumentException badCursor(@Nullable Exception cause) {
        return new IllegalArgumentException("expected a cursor as a page before this one gave it", cause);
    }

    LetterPage page(int limit) {
        List<LetterSummary> letters = new ArrayList<>();
        while (letters.size() < limit) {
            heads.forEach(Head::fill);
            if (heads.stream().anyMatch(Head::isUnknown)) {
                break;
            }
            Head newest = newest();
            if (newest == null) {
                return new LetterPage(letters, null);
            }
            letters.add(newest.take());
        }
        return new LetterPage(letters, heads.stream().allMatch(Head::isEmpty) ? null : cursor());
    }

    private @Nullable Head newest() {
        Head newest = null;
        for (Head head : heads) {
            LetterSummary letter = head.letters.peek();
            if (letter != null
                    && (newest == null || LetterSummary.NEWEST_FIRST.compare(letter, newest.letters.element()) < 0)) {
                newest = head;
            }
        }
        return newest;
    }

    private String cursor() {
        return heads.stream().map(head -> Long.toString(head.below)).collect(Collectors.joining(SEPARATOR));
    }

    /** What of a partition comes next. */
    private final class Head {
        private final TopicPartition partition;
        private final long low;
        private final Deque<LetterSummary> letters = new ArrayDeque<>();
        /** Every letter from here on has been taken or is not meant. */
        private long below;
        /** Where the stretch begins that the letters are of. */
        private long stretchStart;

        Head(TopicPartition partition, long low, long below) {
            this.partition = partition;
            this.low = low;
            this.below = below;
            this.stretchStart = below;
        }

        /** Looks further back while it has no letter to offer, within bounds. */
        void fill() {
            boolean isFirst = true;
            while (letters.isEmpty() && below > low && (isFirst || scanned < MAX_SCANNED)) {
                isFirst = false;
                stretchStart = Math.max(low, below - stretch);
                reader.read(partition, stretchStart, below, record -> {
                    var letter = StoredLetters.of(record);
                    if (filter.matches(letter)) {
                        letters.push(LetterSummary.of(letter, topics));
                    }
                });
                scanned += below - stretchStart;
                if (letters.isEmpty()) {
                    below = stretchStart;
                }
            }
        }

        LetterSummary take() {
            LetterSummary letter = letters.pop();
            below = letters.isEmpty() ? stretchStart : letter.offset();
            return letter;
        }

        /** There may be letters that nobody has looked at. */
        boolean isUnknown() {
            return letters.isEmpty() && below > low;
        }

        boolean isEmpty() {
            return letters.isEmpty() && below <= low;
        }
    }
}
