package dev.vigil.lakehouse;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Up to which moment a table holds everything. Looks at the topic's ends now and then; once all before them is read, and
 * what was read is committed, the table is fresh as of that look. So the mark moves on an idle topic too. One thread.
 */
final class Freshness {
    private static final long LOOK_EVERY_MS = 2_000;

    private long lookedAtMs;
    private @Nullable Map<Integer, Long> ends;
    private long readUntilMs;
    private @Nullable Long freshUntilMs;

    /** @return whether it was time to ask the broker for the topic's ends, and it answered */
    boolean look(RecordSource source, long nowMs) {
        boolean looks = ends == null && nowMs - lookedAtMs >= LOOK_EVERY_MS;
        if (looks) {
            lookedAtMs = nowMs;
            ends = source.endOffsets();
        }
        if (ends != null && source.reached(ends)) {
            readUntilMs = lookedAtMs;
            ends = null;
        }
        return looks;
    }

    /** Nothing that was read waits for a commit. */
    void settled() {
        if (readUntilMs > 0) {
            freshUntilMs = readUntilMs;
        }
    }

    /** What was read and not committed will be read again. */
    void reset() {
        ends = null;
        readUntilMs = 0;
    }

    @Nullable
    Long freshUntilMs() {
        return freshUntilMs;
    }
}
