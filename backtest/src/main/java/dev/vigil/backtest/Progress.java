package dev.vigil.backtest;

/** Told how far a backtest is, every few thousand records, on the replaying thread. May not block. */
@FunctionalInterface
public interface Progress {
    Progress NONE = (records, done) -> {};

    /**
     * @param records read so far
     * @param done how much of the source that is, from 0 to 1; 0 all the time where that is not known
     */
    void advanced(long records, double done);
}
