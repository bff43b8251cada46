package dev.vigil.lakehouse;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A record of a consumed topic as the broker holds it. The arrays are shared, not copied.
 *
 * @param timestampMs of the record, ms since the epoch
 */
@SuppressWarnings("ArrayRecordComponent") // bytes on their way through; never compared
public record RawRecord(
        int partition,
        long offset,
        long timestampMs,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Map<String, byte[]> headers) {

    /** A header as UTF-8 text; absent if there is none of that name. */
    public @Nullable String header(String name) {
        byte[] bytes = headers.get(name);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }
}
