package dev.vigil.cdc;

import org.jspecify.annotations.Nullable;

/**
 * A change of what capture remembers, to be made when the records of the same row change are on their way.
 *
 * @param row null: the row is forgotten
 */
public record MemoryChange(RowKey key, @Nullable RememberedRow row) {

    static MemoryChange remember(RowKey key, RememberedRow row) {
        return new MemoryChange(key, row);
    }

    static MemoryChange forget(RowKey key) {
        return new MemoryChange(key, null);
    }
}
