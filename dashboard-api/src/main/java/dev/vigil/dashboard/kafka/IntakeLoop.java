package dev.vigil.dashboard.kafka;

import dev.vigil.dashboard.intake.ActivePolicy;
import dev.vigil.dashboard.intake.DeclaredTypes;
import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.RecordReader;
import dev.vigil.dashboard.intake.Refusal;
import dev.vigil.dashboard.intake.Refusals;
import dev.vigil.dashboard.intake.RegistryUnavailableException;
import dev.vigil.dashboard.intake.Submission;
import dev.vigil.dashboard.kafka.IntakeBatch.Output;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.EventRecords;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the intake topic with one consumer and writes with one producer, from when both were made until one of them fails for
 * good. One batch is under way at a time. While it is not acknowledged, no policy is active or the registry is away, the
 * partitions are paused and polling goes on, so that the group keeps this member and nothing is read ahead.
 *
 * <p>One thread, but for what {@link IntakeBatch} says.
 */
final class IntakeLoop implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(IntakeLoop.class);

    private static final Duration POLL = Duration.ofMillis(500);
    /** How long the broker may take before it is polled meanwhile; nearly always it takes less. */
    private static final Duration ACKNOWLEDGEMENT = Duration.ofMillis(200);

    private static final Duration HAND_OVER = Duration.ofSeconds(5);
    /** Together with the next less than what {@link ReadLoop#close} waits for. */
    private static final Duration STOP = Duration.ofMillis(1_500);

    private static final Duration LEAVE = Duration.ofMillis(1_000);
    private static final long RETRY_NS = 1_000_000_000L;

    private final TopicNames topics;
    private final RecordReader reader;
    private final Refusals refusals;
    private final ActivePolicy policy;
    private final IntakeFigures figures;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final IntakePositions positions;
    private @Nullable IntakeBatch underWay;
    private boolean isWaiting;
    /** Whether the reason that was told last still holds, as far as is known. */
    private boolean isStuck;

    private boolean isStopping;

    /** Whether the group has said which partitions are this process's, be it none. */
    private boolean isMember;

    private long waitsSinceNs;

    IntakeLoop(
            TopicNames topics,
            RecordReader reader,
            Refusals refusals,
            ActivePolicy policy,
            IntakeFigures figures,
            KafkaConsumer<byte[], byte[]> consumer,
            KafkaProducer<byte[], byte[]> producer,
            Admin admin) {
        this.topics = topics;
        this.reader = reader;
        this.refusals = refusals;
        this.policy = policy;
        this.figures = figures;
        this.consumer = consumer;
        this.producer = producer;
        this.positions = new IntakePositions(consumer, new UnendedTransactions(admin), figures);
    }

    /**
     * Reads until told otherwise; then waits a moment for the broker and commits.
     *
     * @param group that the consumer joins
     * @throws KafkaException if consumer and producer have to be made anew; what was not committed is read again
     */
    void run(String group, BooleanSupplier isClosed) {
        figures.waiting(
                "the group " + group + " has not yet said which partitions to read; where a process ended without"
                        + " leaving it, it does within " + KafkaIntake.SESSION_MS / 1_000 + " s");
        LOG.info("{}: joining the group {}", topics.intake(), group);
        consumer.subscribe(List.of(topics.intake()), this);
        try {
            while (!isClosed.getAsBoolean()) {
                step();
            }
            stop();
        } catch (WakeupException e) {
            stop();
        } finally {
            // As long as its own time-out is, a process could not stop while the broker is away.
            consumer.close(CloseOptions.timeout(LEAVE));
        }
    }

    private void stop() {
        isStopping = true;
        settle(STOP);
        positions.commit(STOP);
    }

    private void step() {
        Optional<DeclaredTypes> types = policy.types();
        boolean isReady = underWay == null && types.isPresent() && !isWaiting();
        if (types.isEmpty()) {
            figures.waiting("no policy is active yet");
        } else if (!isStuck && isMember) {
            figures.waiting(null);
        }
        if (isReady) {
            consumer.resume(consumer.paused());
        } else {
            consumer.pause(consumer.assignment());
        }
        ConsumerRecords<byte[], byte[]> records = positions.poll(underWay == null ? pollTime(isReady) : Duration.ZERO);
        if (!records.isEmpty()) {
            // A partition that came during the poll was not paused yet.
            if (isReady) {
                take(records, types.orElseThrow());
            } else {
                goBack(records, Set.of());
            }
        }
        settle(ACKNOWLEDGEMENT);
        positions.commitNowAndThen();
        positions.tell();
    }

    private static Duration pollTime(boolean isReady) {
        return isReady ? POLL : ACKNOWLEDGEMENT;
    }

    private boolean isWaiting() {
        isWaiting = isWaiting && System.nanoTime() - waitsSinceNs < RETRY_NS;
        return isWaiting;
    }

    private void waitBecause(String problem) {
        isWaiting = true;
        waitsSinceNs = System.nanoTime();
        stuckBecause(problem);
    }

    private void stuckBecause(String problem) {
        isStuck = true;
        figures.waiting(problem);
    }

    private void take(ConsumerRecords<byte[], byte[]> records, DeclaredTypes types) {
        IntakeBatch batch = new IntakeBatch(figures::acknowledged);
        underWay = batch;
        Set<TopicPartition> begun = new HashSet<>();
        for (TopicPartition partition : records.partitions()) {
            begun.add(partition);
            for (ConsumerRecord<byte[], byte[]> record : records.records(partition)) {
                if (!handle(record, types, batch)) {
                    goBackTo(record);
                    goBack(records, begun);
                    return;
                }
                batch.handled(record);
            }
        }
    }

    /** @return false if it is to be read again */
    private boolean handle(ConsumerRecord<byte[], byte[]> record, DeclaredTypes types, IntakeBatch batch) {
        try {
            Optional<Submission> submission = read(record, types);
            if (submission.isEmpty()) {
                figures.skipped();
                return true;
            }
            return submission.get().problems().isEmpty()
                    ? publish(record, submission.get(), batch)
                    : refuse(record, refusal(record, submission.get(), types), batch);
        } catch (RegistryUnavailableException e) {
            waitBecause(String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** Reading is pure: what fails here fails at every attempt, and must not hold up what comes behind. */
    private Optional<Submission> read(ConsumerRecord<byte[], byte[]> record, DeclaredTypes types) {
        try {
            return reader.read(KafkaLetters.sent(record), types);
        } catch (RegistryUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            logFault("reading it failed", record, e);
            return Optional.of(refused(
                    EventProblem.MALFORMED, "reading it failed: " + e.getClass().getSimpleName(), 0));
        }
    }

    /** As for reading; then only what can hold no card number is kept of the record. */
    private Refusal refusal(ConsumerRecord<byte[], byte[]> record, Submission refused, DeclaredTypes types) {
        try {
            return refusals.of(KafkaLetters.sent(record), refused, types);
        } catch (RegistryUnavailableException e) {
            throw e;
        } catch (RuntimeException e) {
            logFault("keeping it as a dead letter failed", record, e);
            return Refusals.ofUnsearched(KafkaLetters.sent(record), refused);
        }
    }

    /** Without the exception's message, which may repeat the record. */
    private static void logFault(String what, ConsumerRecord<byte[], byte[]> record, RuntimeException fault) {
        LOG.error(
                "{}-{} offset {}: {}: {} at {}",
                record.topic(),
                record.partition(),
                record.offset(),
                what,
                fault.getClass().getName(),
                fault.getStackTrace().length == 0 ? "?" : fault.getStackTrace()[0]);
    }

    private static Submission refused(String code, String detail, int tokenisedCount) {
        EventProblem problem = new EventProblem(null, null, code, detail);
        return new Submission(List.of(), List.of(problem), List.of(), 1, tokenisedCount);
    }

    private boolean publish(ConsumerRecord<byte[], byte[]> record, Submission submission, IntakeBatch batch) {
        figures.read(submission.warnings().size(), submission.tokenisedCount());
        for (EventEnvelope event : submission.events()) {
            if (!batch.send(
                    producer, EventRecords.keyed(topics.events(), event), record, Output.EVENT, event.timeUs())) {
                return false;
            }
        }
        return true;
    }

    private boolean refuse(ConsumerRecord<byte[], byte[]> record, Refusal refusal, IntakeBatch batch) {
        return batch.send(
                producer, KafkaLetters.letter(topics.deadLetters(), record, refusal), record, Output.LETTER, 0);
    }

    /** An event that the log does not take becomes a letter; a letter that is too large, too, says at least that there was one. */
    private void refuse(IntakeBatch.TooLarge tooLarge, IntakeBatch batch) {
        boolean isEvent = tooLarge.output() == Output.EVENT;
        String detail = isEvent
                ? "larger than " + topics.events() + " takes"
                : "larger than " + topics.deadLetters() + " takes, so that it is not kept";
        DeclaredTypes types = policy.types().orElseThrow();
        int tokenisedCount =
                read(tooLarge.origin(), types).map(Submission::tokenisedCount).orElse(0);
        Refusal refusal = refusal(tooLarge.origin(), refused(EventProblem.TOO_LARGE, detail, tokenisedCount), types);
        batch.send(
                producer,
                isEvent
                        ? KafkaLetters.letter(topics.deadLetters(), tooLarge.origin(), refusal)
                        : KafkaLetters.stub(topics.deadLetters(), tooLarge.origin(), refusal),
                tooLarge.origin(),
                isEvent ? Output.LETTER : Output.STUB,
                0);
    }

    /** Reads again what the poll brought of all partitions but these. */
    private void goBack(ConsumerRecords<byte[], byte[]> records, Set<TopicPartition> but) {
        for (TopicPartition partition : records.partitions()) {
            if (!but.contains(partition)) {
                goBackTo(records.records(partition).get(0));
            }
        }
    }

    private void goBackTo(ConsumerRecord<byte[], byte[]> record) {
        consumer.seek(new TopicPartition(record.topic(), record.partition()), record.offset());
    }

    /** Waits for the batch that is under way. Afterwards none is, or it takes longer. */
    private void settle(Duration atMost) {
        IntakeBatch batch = underWay;
        if (batch == null || !batch.await(atMost)) {
            if (batch != null) {
                stuckBecause("the broker does not acknowledge what is written to " + topics.events());
            }
            return;
        }
        if (!batch.hasFailed()) {
            List<IntakeBatch.TooLarge> tooLarge = batch.takeTooLarge();
            if (!tooLarge.isEmpty()) {
                tooLarge.forEach(record -> refuse(record, batch));
                return;
            }
        }
        underWay = null;
        positions.acknowledged(batch.positions());
        Exception failure = batch.failure();
        if (failure == null) {
            isStuck = isWaiting;
            return;
        }
        waitBecause("the broker takes nothing: " + failure.getMessage());
        if (!(failure instanceof TimeoutException)) {
            throw new KafkaException("writing what " + topics.intake() + " has: " + failure.getMessage(), failure);
        }
        batch.failedPartitions().stream()
                .filter(consumer.assignment()::contains)
                .forEach(partition -> consumer.seek(partition, batch.positions().get(partition)));
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        if (!isStopping) {
            settle(HAND_OVER);
            positions.commit(HAND_OVER);
        }
        letGoOf(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        letGoOf(partitions);
    }

    /** What held up this process may now hold up another. */
    private void letGoOf(Collection<TopicPartition> partitions) {
        positions.forget(partitions);
        isStuck = false;
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        isMember = true;
        LOG.info("{}: {} partitions came", topics.intake(), partitions.size());
    }
}
