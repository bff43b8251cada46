package dev.vigil.cdc.debezium;

import dev.vigil.event.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.connect.source.SourceRecord;

/** Reads and writes the engine's positions, in the form in which it asks for them. */
final class EnginePosition {

    static final String ENGINE_NAME = "vigil-cdc";

    private static final String LSN = "lsn";
    private static final String LAST_COMMIT = "lsn_commit";
    private static final String LAST_COMPLETE = "lsn_proc";

    private EnginePosition() {}

    /** @param offset after the record */
    static Map<String, String> after(SourceRecord record, Map<String, ?> offset) {
        String key = text(Json.encode(List.of(ENGINE_NAME, record.sourcePartition())));
        return Map.of(key, text(Json.encode(new LinkedHashMap<>(offset))));
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /**
     * How far the stream is confirmed to the server at most; empty before the first snapshot was complete. Transactions come
     * in the order of their commits, so that the changes after it may well stand before it in the log.
     */
    static OptionalLong confirmedLsn(Map<String, String> offsets) {
        for (String offset : offsets.values()) {
            Map<String, Object> position = Json.decodeObject(offset.getBytes(StandardCharsets.UTF_8));
            if (isInsideSnapshot(position)) {
                return OptionalLong.empty();
            }
            for (String key : List.of(LAST_COMMIT, LAST_COMPLETE, LSN)) {
                if (position.get(key) instanceof Number lsn) {
                    return OptionalLong.of(lsn.longValue());
                }
            }
        }
        return OptionalLong.empty();
    }

    /** Log position of the record; 0 where it has none. */
    static long lsn(SourceRecord record) {
        return record.sourceOffset().get(LSN) instanceof Number lsn ? lsn.longValue() : 0;
    }

    /** Whether the record belongs to a snapshot that goes on after it. */
    static boolean isInsideSnapshot(SourceRecord record) {
        return isInsideSnapshot(record.sourceOffset());
    }

    /** Whether the record is the last one of a snapshot. */
    static boolean endsSnapshot(SourceRecord record) {
        return hasSnapshot(record.sourceOffset()) && !isInsideSnapshot(record.sourceOffset());
    }

    private static boolean isInsideSnapshot(Map<String, ?> offset) {
        return hasSnapshot(offset) && !Boolean.TRUE.equals(offset.get("last_snapshot_record"));
    }

    static boolean hasSnapshot(Map<String, ?> offset) {
        String snapshot = String.valueOf(offset.get("snapshot"));
        // One on demand goes on beside the stream, and its place is another part of the position.
        return !snapshot.equals("null") && !snapshot.equals("false") && !snapshot.equalsIgnoreCase("incremental");
    }
}
