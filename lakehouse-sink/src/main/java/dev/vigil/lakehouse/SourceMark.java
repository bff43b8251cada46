package dev.vigil.lakehouse;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How far the log is covered in one of its partitions: the offset of the last log record whose outcomes are in the table,
 * and which of its outcomes. One log record has several where it corrects earlier scores.
 *
 * @param keys of the outcomes seen at that offset; "" is the record's own
 */
public record SourceMark(long offset, SortedSet<String> keys) {
    public SourceMark {
        keys = Collections.unmodifiableSortedSet(new TreeSet<>(keys));
    }
}
