package dev.vigil.cdc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of what capture remembers, to be made when the records of the same row change are on their way.
 *
 * @param row null: the row is forgotten
 */
public record MemoryChange(RowKey key, @Nullable RememberedRow row) {

    /** Under each of its keys. */
    static List<MemoryChange> remember(List<RowKey> keys, RememberedRow row) {
        return keys.stream().map(key -> new MemoryChange(key, row)).toList();
    }

    static List<MemoryChange> forget(List<RowKey> keys) {
        return keys.stream().map(key -> new MemoryChange(key, null)).toList();
    }
}
