package dev.vigil.lakehouse;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * One topic to read from. Called by one thread. Every method but {@link #close} may throw an unchecked exception while
 * the broker is away: call {@link #connect} and {@link #seek} again later.
 */
public interface RecordSource extends AutoCloseable {
    /**
     * Connects, again if it was connected.
     *
     * @return the topic's id
     * @throws dev.vigil.service.ServiceException if the topic can never be read as configured
     */
    String connect();

    /**
     * Reads on from these offsets, in a partition without one from its start.
     *
     * @param acceptGap read on from what is left where records are gone, instead of refusing
     * @throws dev.vigil.service.ServiceException if records are gone that were not read, with the gap named
     */
    void seek(Map<Integer, Long> next, boolean acceptGap);

    /** The next records, in order within each partition; empty if none comes in time. */
    List<RawRecord> poll(Duration timeout);

    /** Ends of the partitions at this moment: the offset of the next record to be appended. */
    Map<Integer, Long> endOffsets();

    /** Whether everything before these ends was polled. */
    boolean reached(Map<Integer, Long> ends);

    @Override
    void close();
}
