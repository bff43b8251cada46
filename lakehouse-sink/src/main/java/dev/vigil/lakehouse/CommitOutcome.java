package dev.vigil.lakehouse;

/** What came of a commit. */
public sealed interface CommitOutcome {
    /** The batch is in the table. */
    record Committed(long snapshotId) implements CommitOutcome {}

    /**
     * The table does not stand where the batch began: another sink committed meanwhile. The batch can never be committed;
     * discard it and begin again from where the table stands.
     */
    record Rejected(String reason) implements CommitOutcome {}

    /**
     * It may be in the table or not. Keep everything, delete nothing, and commit again later: the store then compares
     * where the table stands first.
     */
    record Unknown(String problem) implements CommitOutcome {}
}
