package dev.vigil.engine.kafka;

import dev.vigil.engine.EngineConfig;
import dev.vigil.engine.TaskStores;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.EpochClock;
import dev.vigil.service.ServiceException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
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

    private final Consumer<byte[], byte[]> consumer;
    private final String topic;
    private final String topicId;
    private final EngineConfig config;
    private final TaskStores stores;
    private final OutputSender sender;
    private final TickSender ticks;
    private final EpochClock clock;
    private final LongSupplier newestWatermarkUs;
    private final Map<Integer, ScoringTask> tasks = new ConcurrentHashMap<>();
    private final Set<TopicPartition> paused = new HashSet<>();
    private volatile boolean running = true;
    private long statusAtMs;

    /** @param newestWatermarkUs largest watermark of the engine's partitions */
    ScoringWorker(
            Consumer<byte[], byte[]> consumer,
            String topic,
            String topicId,
            EngineConfig config,
            TaskStores stores,
            OutputSender sender,
            TickSender ticks,
            LongSupplier newestWatermarkUs) {
        this.consumer = consumer;
        this.topic = topic;
        this.topicId = topicId;
        this.config = config;
        this.stores = stores;
        this.sender = sender;
        this.ticks = ticks;
        this.clock = sender.clock();
        this.newestWatermarkUs = newestWatermarkUs;
    }

    /** Any thread. */
    Collection<ScoringTask> tasks() {
        return tasks.values();
    }

    /** Any thread; {@link #run} returns soon after. */
    void stop() {
        running = false;
        consumer.wakeup();
    }

    /** Scores until stopped. @throws RuntimeException for what ends the worker otherwise; its tasks are closed by then */
    void run() {
        try {
            consumer.subscribe(java.util.List.of(topic), this);
            while (running) {
                step();
            }
            finishSteps();
        } catch (WakeupException e) {
            if (running) {
                throw e;
            }
            finishSteps();
        } catch (OffsetOutOfRangeException e) {
            throw new ServiceException(outOfRange(e), e);
        } finally {
            tasks.values().forEach(ScoringTask::close);
            tasks.clear();
        }
    }

    private void step() {
        boolean waiting = tasks.values().stream().anyMatch(ScoringTask::isWaiting);
        ConsumerRecords<byte[], byte[]> records = consumer.poll(waiting ? WAITING_POLL : IDLE_POLL);
        for (TopicPartition partition : records.partitions()) {
            ScoringTask task = tasks.get(partition.partition());
            if (task != null) {
                task.process(records.records(partition), clock.epochMs());
            }
        }
        for (ScoringTask task : tasks.values()) {
            task.writeAcknowledged();
            pushBack(task);
        }
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

    /** Waits for the broker and writes what waited, so that the next start repeats nothing. */
    private void finishSteps() {
        sender.producer().flush();
        tasks.values().forEach(ScoringTask::writeAcknowledged);
        tasks.values().forEach(task -> task.updateStatus(0));
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            ScoringTask task = new ScoringTask(
                    partition.partition(),
                    topicId,
                    stores,
                    config.maxLiveEvents() / config.threads(),
                    sender,
                    clock.epochMs());
            tasks.put(partition.partition(), task);
            consumer.seek(partition, startOffset(partition, task));
        }
    }

    private long startOffset(TopicPartition partition, ScoringTask task) {
        long beginning = consumer.beginningOffsets(Set.of(partition)).get(partition);
        long end = consumer.endOffsets(Set.of(partition)).get(partition);
        long next = task.nextOffset();
        if (next > end) {
            throw new ServiceException("partition " + partition.partition() + ": the state is at offset " + next
                    + ", but the log ends at " + end
                    + ": records were lost on the broker; restore them, or start with an empty state directory");
        }
        if (next >= beginning) {
            return next;
        }
        String gap = "partition " + partition.partition() + ": the state is at offset " + next
                + ", but the log begins at " + beginning + ": " + (beginning - next) + " records are missing";
        if (!config.acceptGap()) {
            throw new ServiceException(gap + "; to go on without them set scoring.accept-gap: true");
        }
        LOG.warn("{}; going on without them, as scoring.accept-gap says", gap);
        return beginning;
    }

    private static String outOfRange(OffsetOutOfRangeException e) {
        return "the log no longer has " + e.offsetOutOfRangePartitions()
                + ": records were deleted before they were scored; to go on without them set scoring.accept-gap: true";
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        sender.producer().flush();
        for (TopicPartition partition : partitions) {
            ScoringTask task = tasks.remove(partition.partition());
            if (task != null) {
                task.writeAcknowledged();
                task.close();
            }
            paused.remove(partition);
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
