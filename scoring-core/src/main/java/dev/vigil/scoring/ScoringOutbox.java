package dev.vigil.scoring;

import dev.vigil.event.DeadLetter;

/**
 * Where a scorer puts what comes of a record, in log order, on the scorer's thread. May not block for long; never refuses:
 * a runner that must push back does so before it hands in the next record.
 */
public interface ScoringOutbox {
    /** @param event valid during the call only */
    void scored(ScoredView event);

    /** @param event a score anew of an event that was scored before; valid during the call only */
    void corrected(ScoredView event);

    /** @param alert of the event scored just before; the bytes are the record's value, and the outbox's from now on */
    void alert(String account, byte[] alert);

    /** @param summary result of a window that is over; a JSON {@link dev.vigil.event.Summary} */
    void summary(String account, byte[] summary);

    /** A policy became active: types of the scored events that follow; a JSON {@link dev.vigil.event.ScoredSchema}. */
    void schema(byte[] schema);

    /** A late event that the policy sends aside; the record as it came. */
    void late(LogRecord record);

    /** A record that can never be scored; the record as it came. */
    void deadLetter(LogRecord record, DeadLetter.Reason reason, String detail);
}
