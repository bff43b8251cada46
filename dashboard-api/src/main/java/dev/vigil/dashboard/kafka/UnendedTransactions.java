package dev.vigil.dashboard.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that committed records end where a transaction began which its producer does not end: reading stands there with no lag,
 * however much comes behind. Asks the broker now and then where records end, committed or not, while there seems to be nothing to
 * read. One thread; answers come on another.
 */
final class UnendedTransactions {
    private static final long LOOK_EVERY_NS = 5_000_000_000L;

    private final Admin admin;
    private Map<TopicPartition, Long> before = Map.of();
    private long lastLookNs = System.nanoTime();
    private volatile @Nullable String complaint;

    /** @param admin that answers as long as this is used; not closed here */
    UnendedTransactions(Admin admin) {
        this.admin = admin;
    }

    /**
     * @param positions where reading stands, in all partitions without committed records behind it; empty: nothing is asked
     * @return what holds up reading, in one line, as far as it is known by now; null if nothing does
     */
    @Nullable
    String look(Map<TopicPartition, Long> positions) {
        long nowNs = System.nanoTime();
        if (nowNs - lastLookNs < LOOK_EVERY_NS) {
            return complaint;
        }
        lastLookNs = nowNs;
        Map<TopicPartition, Long> unmoved = new HashMap<>(positions);
        unmoved.entrySet().retainAll(before.entrySet());
        before = Map.copyOf(positions);
        if (unmoved.isEmpty()) {
            complaint = null;
            return null;
        }
        // The admin's own isolation level is that of uncommitted records.
        var unused = admin.listOffsets(unmoved.keySet().stream()
                        .collect(Collectors.toMap(partition -> partition, partition -> OffsetSpec.latest())))
                .all()
                .whenComplete((ends, problem) -> {
                    if (ends != null) {
                        complaint = complaint(unmoved, ends);
                    }
                });
        return complaint;
    }

    private static @Nullable String complaint(
            Map<TopicPartition, Long> positions, Map<TopicPartition, ListOffsetsResultInfo> ends) {
        for (Map.Entry<TopicPartition, Long> position : positions.entrySet()) {
            ListOffsetsResultInfo end = ends.get(position.getKey());
            if (end != null && end.offset() > position.getValue()) {
                return position.getKey() + ": up to " + (end.offset() - position.getValue())
                        + " records wait behind a transaction that its producer has not ended, from offset "
                        + position.getValue() + " on";
            }
        }
        return null;
    }
}
