package dev.vigil.backtest;

/** History to replay. Read once, by one thread. */
public interface EventSource {
    /**
     * Hands over every record, partition after partition, each in log order. Returns at the end of the history as it was
     * when reading began.
     *
     * @throws dev.vigil.service.ServiceException if the source cannot be read to its end; no result is valid then
     */
    void read(RecordReceiver receiver);

    /** Where a record stands, for a person: {@code line 17}. */
    String position(int partition, long offset);

    /** How much was handed over, from 0 to 1. */
    double progress();
}
