package dev.vigil.cdc;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;

/** What became of the changes of one batch. One thread. */
public final class ChangeCounts {

    public long rows;
    public long published;
    public long deadLetters;
    public long skipped;
    /** Rows that are remembered for lookups and not published. */
    public long kept;
    /** µs since the epoch; {@link Long#MIN_VALUE} if none was published. */
    public long lastEventTimeUs = Long.MIN_VALUE;

    /** Events that went to the dead letters after all, because the broker refuses their size. */
    public void tooLarge(int count) {
        published -= count;
        deadLetters += count;
    }

    void published(EventEnvelope event) {
        published++;
        if (!EventTypes.isReserved(event.type())) {
            lastEventTimeUs = Math.max(lastEventTimeUs, event.timeUs());
        }
    }
}
