package dev.vigil.alerting;

import java.util.List;
import java.util.Map;

/**
 * What one poll of the alerts topic changes; enters the outbox whole or not at all.
 *
 * @param nextOffsets of the alerts topic: next to read
 * @param passedOffsets of the log: largest offset whose alert has been taken
 * @param eventTimesUs largest event time in the batch by partition of the log; marks that expire at or before it go
 */
public record IntakeBatch(
        Map<LogPartition, Long> nextOffsets,
        Map<LogPartition, Long> passedOffsets,
        Map<Integer, Long> eventTimesUs,
        List<RoutedAlert> alerts,
        List<CooldownMark> marks,
        List<OutgoingRecord> outgoing,
        Counts counts) {
    public IntakeBatch {
        nextOffsets = Map.copyOf(nextOffsets);
        passedOffsets = Map.copyOf(passedOffsets);
        eventTimesUs = Map.copyOf(eventTimesUs);
        alerts = List.copyOf(alerts);
        marks = List.copyOf(marks);
        outgoing = List.copyOf(outgoing);
    }

    /**
     * An alert with a delivery to each of the endpoints, due at once.
     *
     * @param json the alert as it stands in the topic
     * @param endpoints names, at least one
     */
    public record RoutedAlert(byte[] json, List<String> endpoints, long acceptedAtMs) {
        public RoutedAlert {
            endpoints = List.copyOf(endpoints);
        }
    }

    /**
     * What became of the batch's records: each was a duplicate, dead-lettered, or an alert; of the alerts, some were
     * suppressed and some wanted by no endpoint.
     */
    public record Counts(long alerts, long suppressed, long unrouted, long duplicates, long deadLettered) {
        public static final Counts ZERO = new Counts(0, 0, 0, 0, 0);

        public Counts plus(Counts other) {
            return new Counts(
                    alerts + other.alerts,
                    suppressed + other.suppressed,
                    unrouted + other.unrouted,
                    duplicates + other.duplicates,
                    deadLettered + other.deadLettered);
        }
    }
}
