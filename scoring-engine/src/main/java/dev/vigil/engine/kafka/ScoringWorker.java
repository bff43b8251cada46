package dev.vigil.engine.kafka;

import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.TaskStores;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.EpochClock;
import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.Offsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.LogTruncationException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that scores the partitions which the group gives it. Ends when {@link #stop} is called or something happens
 * that a person has to decide; whatever ends it, the state on disk is that of a log prefix.
 */
final class ScoringWorker implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(ScoringWorker.class);
    private static final Duration IDLE_POLL = Duration.ofMillis(100);
    private static final Duration WAITING_POLL = Duration.ofMillis(2);
    private static final long STATUS_EVERY_MS = 200;
    /** How long a partition that is given up waits for the broker; what it has not by then is scored again. */
    private static final long FINISH_MS = 10_000;

    /** Asks which policy a log had. */
    interface PolicyInForce {
        /**
         * @param topicId of the log
         * @return the one that was activated last before this offset; null if none is known
         */
        @Nullable
        Policy at(String topicId, int partition, long offset);
    }

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final Supplier<String> topicId;
    private final EngineConfig config;
    private final long maxLiveEvents;
    private final TaskStores stores;
    private final OutputSender sender;
    private final TickSender ticks;
    private final EpochClock clock;
    private final LongSupplier newestWatermarkUs;
    private final PolicyInForce policyInForce;
    private final Map<Integer, ScoringTask> tasks = new ConcurrentHashMap<>();
    private final Questions questions = new Questions();
    private final Set<TopicPartition> paused = new HashSet<>();
    private @Nullable RuntimeException failedAssignment;
    private volatile boolean running = true;
    private long statusAtMs;

    /**
     * @param topicId asks the broker for the id that the topic has now
     * @param maxLiveEvents of one partition
     * @param newestWatermarkUs largest watermark of the engine's partitions
     * @param policyInForce where the log no longer begins with its first record
     */
    ScoringWorker(
            Consumer<byte[], byte[]> consumer,
            String topic,
            Supplier<String> topicId,
            EngineConfig config,
            long maxLiveEvents,
            TaskStores stores,
            OutputSender sender,
            LongSupplier newestWatermarkUs,
            PolicyInForce policyInForce) {
        this.consumer = consumer;
        this.topic = topic;
        this.topicId = topicId;
        this.config = config;
        this.maxLiveEvents = maxLiveEvents;
        this.stores = stores;
        this.sender = sender;
        this.ticks = new TickSender(sender.producer(), topic);
        this.clock = sender.clock();
        this.newestWatermarkUs = newestWatermarkUs;
        this.policyInForce = policyInForce;
    }

    /** Any thread. After the end: the tasks as they were closed. */
    Collection<ScoringTask> tasks() {
        return tasks.values();
    }

    /** Any thread. Answered between two polls. */
    Questions questions() {
        return questions;
    }

    /** Any thread; {@link #run} returns soon after. */
    void stop() {
        running = false;
        consumer.wakeup();
    }

    /** Scores until stopped. @throws RuntimeException for what ends the worker otherwise; its tasks are closed by then */
    void run() {
        try {
            consumer.subscribe(Set.of(topic), this);
            while (running) {
                step();
            }
            finish(tasks.values());
        } catch (WakeupException e) {
            if (running) {
                throw e;
            }
            finish(tasks.values());
        } catch (LogTruncationException e) {
            throw new ServiceException(
                    "the broker lost records that were scored already, and has others in their place: " + e.getMessage()
                            + "; restore the log, or start with an empty state directory and without the checkpoints",
                    e);
        } finally {
            questions.close();
            tasks.values().forEach(ScoringTask::close);
        }
    }

    private void step() {
        boolean waiting = tasks.values().stream().anyMatch(ScoringTask::isWaiting);
        ConsumerRecords<byte[], byte[]> records = consumer.poll(waiting ? WAITING_POLL : IDLE_POLL);
        if (failedAssignment != null) {
            throw failedAssignment;
        }
        for (TopicPartition partition : records.partitions()) {
            ScoringTask task = tasks.get(partition.partition());
            if (task != null) {
                task.process(records.records(partition), clock.epochMs());
            }
        }
        if (!records.isEmpty() && records.count() < config.maxPollRecords() / 2) {
            sender.flusher().request();
        }
        for (ScoringTask task : tasks.values()) {
            task.writeAcknowledged();
            pushBack(task);
        }
        questions.answer(tasks);
        maybeUpdateStatus();
    }

    /** Takes no more records of a partition while the broker is behind with what was emitted for it. */
    private void pushBack(ScoringTask task) {
        TopicPartition partition = new TopicPartition(topic, task.partition());
        if (task.isBusy()) {
            if (paused.add(partition)) {
                consumer.pause(Set.of(partition));
            }
        } else if (paused.remove(partition)) {
            consumer.resume(Set.of(partition));
        }
    }

    private void maybeUpdateStatus() {
        long nowMs = clock.epochMs();
        if (nowMs - statusAtMs < STATUS_EVERY_MS) {
            return;
        }
        statusAtMs = nowMs;
        for (ScoringTask task : tasks.values()) {
            TopicPartition partition = new TopicPartition(topic, task.partition());
            task.updateStatus(consumer.currentLag(partition).orElse(0));
            long tickUs = task.dueTickUs(
                    newestWatermarkUs.getAsLong(), config.idleAfter().toMillis(), nowMs);
            if (tickUs != TaskState.NO_WATERMARK) {
                ticks.send(task.partition(), tickUs);
            }
        }
    }

    /** Writes what waits for the broker, so that whoever goes on repeats nothing. */
    private void finish(Collection<ScoringTask> ending) {
        long deadlineMs = clock.epochMs() + FINISH_MS;
        for (ScoringTask task : ending) {
            task.writeAcknowledged();
            while (task.isWaiting() && clock.epochMs() < deadlineMs) {
                pause();
                task.writeAcknowledged();
            }
            task.updateStatus();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        try {
            assign(partitions);
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            // Thrown by the step that polls: the consumer would log it with its stack trace, and hide it in one of its
            // own.
            failedAssignment = e;
            consumer.pause(partitions);
            partitions.forEach(partition -> consumer.seek(partition, 0));
        }
    }

    private void assign(Collection<TopicPartition> partitions) {
        String currentTopicId = topicId.get();
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
        for (TopicPartition partition : partitions) {
            long beginning = Offsets.of(partition, beginnings);
            ScoringTask task = new ScoringTask(
                    partition.partition(),
                    currentTopicId,
                    stores,
                    maxLiveEvents,
                    firstPolicy(currentTopicId, partition.partition(), beginning),
                    sender,
                    clock.epochMs());
            tasks.put(partition.partition(), task);
            long end = Offsets.of(partition, ends);
            consumer.seek(partition, startOffset(task, beginning, end));
            task.catchUpTo(end);
        }
    }

    /** For a task without state: what was activated in records that the log has no more, if the gap is accepted. */
    private @Nullable Policy firstPolicy(String currentTopicId, int partition, long beginning) {
        Policy registered =
                beginning > 0 && config.acceptGap() ? policyInForce.at(currentTopicId, partition, beginning) : null;
        return registered == null ? config.firstPolicy() : registered;
    }

    private long startOffset(ScoringTask task, long beginning, long end) {
        long next = task.nextOffset();
        String found = "partition " + task.partition() + ": the state is at offset " + next + ", but the log ";
        if (next > end) {
            throw new ServiceException(found + "ends at " + end
                    + ": records were lost on the broker; restore them, or start with an empty state directory and without"
                    + " the checkpoints");
        }
        if (next >= beginning) {
            return next;
        }
        String gap = found + "begins at " + beginning + ": " + (beginning - next) + " records are missing";
        if (!config.acceptGap()) {
            throw new ServiceException(gap + "; to go on without them set scoring.accept-gap: true");
        }
        LOG.warn("{}; going on without them, as scoring.accept-gap says", gap);
        return beginning;
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        Collection<ScoringTask> revoked = partitions.stream()
                .map(partition -> tasks.get(partition.partition()))
                .filter(Objects::nonNull)
                .toList();
        try {
            finish(revoked);
        } finally {
            onPartitionsLost(partitions);
        }
    }

    /** Somebody else has them already: nothing is written any more. */
    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            ScoringTask task = tasks.remove(partition.partition());
            if (task != null) {
                task.close();
            }
            paused.remove(partition);
        }
    }
}
