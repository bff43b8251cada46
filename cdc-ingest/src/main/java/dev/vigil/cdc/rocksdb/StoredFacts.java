package dev.vigil.cdc.rocksdb;

import dev.vigil.cdc.CapturePosition;
import dev.vigil.cdc.PublicationIdentity;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The one record that changes with every step: position, clock and counters.
 *
 * @param server which server the position was read from; null where it was written by a version that did not say
 * @param tables that were captured when the last run began; null where it was written by a version that did not say
 * @param publication that the last run began with; null where there is none, or where it was written by a version that did not say
 */
record StoredFacts(
        String slot,
        @Nullable String server,
        @Nullable Set<String> tables,
        @Nullable PublicationIdentity publication,
        CapturePosition position,
        long snapshot,
        boolean snapshotOpen,
        long databaseTimeUs,
        long nextSeq,
        int waitingCount) {

    static StoredFacts of(String slot) {
        return new StoredFacts(slot, null, null, null, CapturePosition.NONE, 0, false, Long.MIN_VALUE, 0, 0);
    }

    StoredFacts at(CapturePosition newPosition) {
        return new StoredFacts(
                slot,
                server,
                tables,
                publication,
                newPosition,
                snapshot,
                snapshotOpen,
                databaseTimeUs,
                nextSeq,
                waitingCount);
    }

    StoredFacts withSnapshot(long number, boolean open) {
        return new StoredFacts(
                slot, server, tables, publication, position, number, open, databaseTimeUs, nextSeq, waitingCount);
    }

    StoredFacts withTime(long timeUs) {
        return new StoredFacts(
                slot, server, tables, publication, position, snapshot, snapshotOpen, timeUs, nextSeq, waitingCount);
    }

    StoredFacts withWaiting(long seq, int count) {
        return new StoredFacts(
                slot, server, tables, publication, position, snapshot, snapshotOpen, databaseTimeUs, seq, count);
    }

    StoredFacts reading(String newServer, Set<String> newTables, @Nullable PublicationIdentity newPublication) {
        return new StoredFacts(
                slot,
                newServer,
                newTables,
                newPublication,
                position,
                snapshot,
                snapshotOpen,
                databaseTimeUs,
                nextSeq,
                waitingCount);
    }
}
