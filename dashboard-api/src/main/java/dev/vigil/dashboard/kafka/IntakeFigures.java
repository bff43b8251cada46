package dev.vigil.dashboard.kafka;

import dev.vigil.service.status.KafkaIntakeStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.atomic.LongAccumulator;
import org.jspecify.annotations.Nullable;

/** What the Kafka intake counts and how it stands, as metrics and as its status. Safe for any thread. */
final class IntakeFigures {
    private static final long UNKNOWN = -1;

    private final Counter accepted;
    private final Counter deadLettered;
    private final Counter skipped;
    private final Counter missed;
    private final Counter unknownFields;
    private final Counter tokenised;
    private final LongAccumulator lastEventTimeUs = new LongAccumulator(Math::max, Long.MIN_VALUE);
    private volatile int partitions;
    private volatile long lag = UNKNOWN;
    private volatile @Nullable String problem;
    private volatile @Nullable String heldUpBy;

    IntakeFigures(MeterRegistry meters) {
        this.accepted = outcome(meters, "accepted");
        this.deadLettered = outcome(meters, "dead_lettered");
        this.skipped = outcome(meters, "skipped");
        this.missed = Counter.builder("vigil.intake.kafka.missed")
                .description("Records of the intake topic that were gone before they were read")
                .register(meters);
        this.unknownFields = Counter.builder("vigil.intake.kafka.unknown.fields")
                .description("Fields that no policy declares, of events that were taken all the same")
                .register(meters);
        this.tokenised = Counter.builder("vigil.intake.kafka.tokenised")
                .description("Values in which tokens took the place of card numbers")
                .register(meters);
        Gauge.builder("vigil.intake.kafka.lag", this, figures -> figures.lag == UNKNOWN ? Double.NaN : figures.lag)
                .description("Records of the intake topic that were not read yet, in the partitions of this process")
                .register(meters);
        Gauge.builder("vigil.intake.kafka.waiting", this, figures -> figures.reason() == null ? 0 : 1)
                .description(
                        "1 while reading waits for the broker, a policy, the schema registry or a transaction's end")
                .register(meters);
    }

    private static Counter outcome(MeterRegistry meters, String outcome) {
        return Counter.builder("vigil.intake.kafka.records")
                .description(
                        "Outcomes of the intake topic's records: events that the log has, dead letters, records that"
                                + " are no events by their nature")
                .tag("outcome", outcome)
                .register(meters);
    }

    void acknowledged(IntakeBatch.Output output, long eventTimeUs) {
        if (output == IntakeBatch.Output.EVENT) {
            accepted.increment();
            lastEventTimeUs.accumulate(eventTimeUs);
        } else {
            deadLettered.increment();
        }
    }

    void skipped() {
        skipped.increment();
    }

    void missed(long records) {
        missed.increment(records);
    }

    void read(int unknownFieldCount, int tokenisedCount) {
        unknownFields.increment(unknownFieldCount);
        tokenised.increment(tokenisedCount);
    }

    /**
     * @param lagRecords null: not known
     * @param heldUp by what, though the intake does not wait; null: by nothing
     */
    void position(int partitionCount, @Nullable Long lagRecords, @Nullable String heldUp) {
        heldUpBy = heldUp;
        partitions = partitionCount;
        lag = lagRecords == null ? UNKNOWN : lagRecords;
    }

    /** @param reason one line; null while reading */
    void waiting(@Nullable String reason) {
        problem = reason;
    }

    private @Nullable String reason() {
        String own = problem;
        return own == null ? heldUpBy : own;
    }

    KafkaIntakeStatus status() {
        long newest = lastEventTimeUs.get();
        long lagRecords = lag;
        return new KafkaIntakeStatus(
                reason(),
                partitions,
                (long) accepted.count(),
                (long) deadLettered.count(),
                (long) skipped.count(),
                (long) missed.count(),
                lagRecords == UNKNOWN ? null : lagRecords,
                newest == Long.MIN_VALUE ? null : newest);
    }
}
