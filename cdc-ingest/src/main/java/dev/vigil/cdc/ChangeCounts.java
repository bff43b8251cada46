package dev.vigil.cdc;

import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTypes;

/** What became of the changes of one batch. One thread. */
public final class ChangeCounts {

    public long rows;
    public long published;
    public long deadLetters;
    public long skipped;
    /** Came again after a restart, and an earlier run has processed them. */
    public long passedOver;
    /** Rows that are remembered for lookups and not published. */
    public long kept;
    /** Of events that are not ahead of their time, µs since the epoch; {@link Long#MIN_VALUE} if none was published. */
    public long lastEventTimeUs = Long.MIN_VALUE;

    private final long maxAheadUs;

    /** @param maxAheadUs how far ahead of the database's time an event may be, µs; one that is further ahead says nothing of lag */
    public ChangeCounts(long maxAheadUs) {
        this.maxAheadUs = maxAheadUs;
    }

    /** Events that went to the dead letters after all, because the broker refuses their size. */
    public void tooLarge(int count) {
        published -= count;
        deadLetters += count;
    }

    /** @param nowUs the database's time */
    void published(EventEnvelope event, long nowUs) {
        published++;
        if (!EventTypes.isReserved(event.type()) && event.timeUs() - maxAheadUs <= nowUs) {
            lastEventTimeUs = Math.max(lastEventTimeUs, event.timeUs());
        }
    }
}
