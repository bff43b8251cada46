package dev.vigil.backtest;

import dev.vigil.event.DeadLetter;
import dev.vigil.scoring.LogRecord;

/** Takes a source's records, on the source's thread. Offsets rise within a partition and are above 0. */
public interface RecordReceiver {
    /** Begins a partition: the records that follow are its own, and no account is in two. */
    void partition(int partition);

    /**
     * @param record valid during the call only
     * @param label what the source says of the event, if anything
     */
    void record(LogRecord record, Label label);

    /** What the source found but could not make a record of. */
    void refused(long offset, DeadLetter.Reason reason, String detail);

    /** A policy activation of the log, whose place the policy under test has taken. */
    void replaced(long offset);
}
