package dev.vigil.lakehouse;

import dev.vigil.event.ScoredSchema;
import dev.vigil.event.SourcePosition;
import org.jspecify.annotations.Nullable;

/** What a record of a consumed topic means. */
sealed interface Decoded {
    /**
     * @param position in the log, by which a repeat is known; absent: the record cannot be a repeat
     * @param key tells rows of the same position apart
     */
    record Row(HistoryRow row, @Nullable SourcePosition position, String key) implements Decoded {}

    record Schema(ScoredSchema schema) implements Decoded {}

    /** A record without a meaning to history, such as a tombstone. */
    record Nothing() implements Decoded {}
}
