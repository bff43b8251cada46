package dev.vigil.cdc;

import java.util.List;
import java.util.Optional;

/**
 * What capture keeps between row changes: remembered rows, rows that wait, and the database's time. Changes are seen by the
 * calls after them, and become durable together with the position of the batch that made them, or not at all: so the state
 * is a function of the position. One thread.
 */
public interface CaptureState extends References {

    /** @param seq order of arrival, given by {@link #enqueue} */
    record WaitingRow(long seq, RowKey missing, RowChange change) {}

    void remember(RowKey key, RememberedRow row);

    void forget(RowKey key);

    /**
     * Remembered rows of a table in the order of their identities.
     *
     * @param after identity that the first one comes after; empty: from the beginning
     * @param lastSeenBefore only rows that were remembered before this snapshot began; {@link Long#MAX_VALUE}: all
     */
    List<RowKey> remembered(String table, String after, long lastSeenBefore, int limit);

    /** Number of the snapshot that is being read, or that was read last; rows are remembered as of it. */
    long snapshot();

    /** Makes {@link #snapshot} one more, and open. */
    void beginSnapshot();

    boolean isSnapshotOpen();

    void endSnapshot();

    void enqueue(RowKey missing, RowChange change);

    /** Waiting for that row, in the order of arrival. */
    List<WaitingRow> waitingFor(RowKey missing);

    /** The one that was committed first. */
    Optional<WaitingRow> firstWaiting();

    void dequeue(WaitingRow row);

    int waitingCount();

    /** Newest time of a commit or heartbeat of the database, µs since the epoch. */
    long databaseTimeUs();

    /** An earlier time changes nothing. */
    void passTime(long timeUs);
}
