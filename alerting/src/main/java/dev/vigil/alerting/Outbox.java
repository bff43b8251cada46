package dev.vigil.alerting;

import dev.vigil.alerting.cases.CaseStore;
import dev.vigil.event.Delivery;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What alerting must not forget: positions, alerts on their way, cooldown marks, cases, records owed to Kafka, totals.
 *
 * <p>Every method that changes something is atomic, and what it did is there after a kill of the process. (After a power
 * cut the last of it may be missing, all of it together with the positions: the alerts are then read again, and an
 * accepted delivery may be repeated with the same id.) Safe for any thread; may block for as long as the disk does.
 *
 * <p>After {@link #close} every method but {@link #counts} throws IllegalStateException.
 */
public interface Outbox extends AutoCloseable {
    /** Given once to an outbox when it is created; tells the instances of a deployment apart. */
    String id();

    /** Next offset to read of a partition of a topic that is read; empty before the first batch. */
    OptionalLong nextOffset(LogPartition partition);

    /** Largest offset of a partition of the log whose alert was taken; empty before the first. */
    OptionalLong passedOffset(LogPartition logPartition);

    Optional<CooldownMark> mark(CooldownMark.Group group);

    /** The cases as the accepted batches have left them. */
    CaseStore cases();

    void accept(IntakeBatch batch);

    /** The earliest deliveries with {@code dueAtMs <= nowMs}, those under way included, at most {@code limit}. */
    DueDeliveries due(String endpoint, long nowMs, int limit);

    /** An alert, for as long as a delivery of it is pending. */
    StoredAlert alert(long alertSeq);

    /** The attempt failed, another follows. */
    void reschedule(PendingDelivery delivery, PendingDelivery next, Delivery report);

    /** The delivery is over: delivered or given up, as the report says. One of the same account that waited for it is due now. */
    void finish(PendingDelivery delivery, Delivery report);

    /**
     * Another instance has ended these deliveries: they are not made here, whether their alert was taken already or comes later.
     *
     * @param ended reports of deliveries that were accepted or given up
     * @param nextOffsets of the topic of reports: next to read
     */
    void settle(List<Delivery> ended, Map<LogPartition, Long> nextOffsets);

    /** Ends the delivery without a report if another instance has ended it. @return whether it has */
    boolean finishIfSettled(PendingDelivery delivery, String alertId);

    /**
     * Puts alerts on their way to the endpoint once more, due at once; an alert that an earlier call put there and that is not over is left
     * alone. What another instance ended before now counts for them no more.
     *
     * @param inOrder whether each waits for those before it of its account
     * @return how many were put
     */
    int redeliver(String endpoint, List<AlertAgain> alerts, boolean inOrder, long nowMs);

    /** Whether somebody asked for this delivery once more; until it is over. */
    boolean isRedelivery(String alertId, String endpoint);

    /** Forgets what others ended before that time, ms since the epoch; nothing that old is pending here. */
    void forgetSettled(long beforeMs);

    Optional<DisabledEndpoint> disabled(String endpoint);

    void disable(DisabledEndpoint endpoint);

    void enable(String endpoint);

    /** Records owed to Kafka with a number greater than {@code afterSeq}, in order, at most {@code limit}. */
    List<NumberedRecord> unpublished(long afterSeq, int limit);

    /** These are in Kafka. */
    void published(List<NumberedRecord> records);

    OutboxCounts counts();

    /** Idempotent. */
    @Override
    void close();
}
