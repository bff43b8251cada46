package dev.vigil.backtest;

import dev.vigil.scoring.policy.Policy;
import java.util.List;

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

    /** How much was handed over, from 0 to 1; 0 all the time where that is not known. */
    double progress();

    /** Labels read so far that said neither fraud nor legitimate. */
    default long unreadableLabels() {
        return 0;
    }

    /** What this source lacks of that the policy reads, each in a sentence. */
    default List<String> notes(Policy policy) {
        return List.of();
    }
}
