package dev.vigil.cdc;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How far the source was read.
 *
 * @param offsets the engine's own, text by text: of the last change that nothing after it shares its log position with; empty
 *     before there is one
 * @param openLsn log position of the changes after that one
 * @param openCount how many of them were read; a record of the database's log can hold many rows, and reading on from
 *     {@code offsets} gives all of them again
 */
public record CapturePosition(Map<String, String> offsets, long openLsn, int openCount) {

    public static final CapturePosition NONE = new CapturePosition(Map.of(), 0, 0);

    public CapturePosition {
        offsets = Collections.unmodifiableMap(new LinkedHashMap<>(offsets));
    }
}
