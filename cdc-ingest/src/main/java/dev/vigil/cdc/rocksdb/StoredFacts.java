package dev.vigil.cdc.rocksdb;

import dev.vigil.cdc.CapturePosition;

/** The one record that changes with every step: position, clock and counters. */
record StoredFacts(
        String slot,
        CapturePosition position,
        long snapshot,
        boolean snapshotOpen,
        long databaseTimeUs,
        long nextSeq,
        int waitingCount) {

    static StoredFacts of(String slot) {
        return new StoredFacts(slot, CapturePosition.NONE, 0, false, Long.MIN_VALUE, 0, 0);
    }

    StoredFacts at(CapturePosition newPosition) {
        return new StoredFacts(slot, newPosition, snapshot, snapshotOpen, databaseTimeUs, nextSeq, waitingCount);
    }

    StoredFacts withSnapshot(long number, boolean open) {
        return new StoredFacts(slot, position, number, open, databaseTimeUs, nextSeq, waitingCount);
    }

    StoredFacts withTime(long timeUs) {
        return new StoredFacts(slot, position, snapshot, snapshotOpen, timeUs, nextSeq, waitingCount);
    }

    StoredFacts withWaiting(long seq, int count) {
        return new StoredFacts(slot, position, snapshot, snapshotOpen, databaseTimeUs, seq, count);
    }
}
