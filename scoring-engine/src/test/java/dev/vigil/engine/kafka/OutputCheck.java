package dev.vigil.engine.kafka;

import dev.vigil.event.TopicNames;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.RecordCounts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Compares, as a run goes on, what engines emit and count with what the log gives undisturbed. One thread. */
final class OutputCheck implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final Duration POLL = Duration.ofMillis(50);

    private final KafkaConsumer<byte[], byte[]> log;
    private final KafkaConsumer<byte[], byte[]> outputs;
    private final OfflineRun undisturbed;
    private final OutputComparison comparison = new OutputComparison();
    private long recordCount;

    OutputCheck(Deployment deployment) {
        TopicNames topics = deployment.kafka().topics();
        log = reader(deployment, List.of(topics.events()));
        outputs = reader(deployment, deployment.outputTopics());
        undisturbed = new OfflineRun(topics, deployment.topicId());
    }

    private static KafkaConsumer<byte[], byte[]> reader(Deployment deployment, List<String> topics) {
        KafkaConsumer<byte[], byte[]> reader = KafkaClients.consumer(deployment.kafka(), "crash-suite", Map.of());
        List<TopicPartition> partitions = topics.stream()
                .flatMap(topic -> IntStream.range(0, Deployment.PARTITIONS)
                        .mapToObj(partition -> new TopicPartition(topic, partition)))
                .toList();
        reader.assign(partitions);
        reader.seekToBeginning(partitions);
        return reader;
    }

    long recordCount() {
        return recordCount;
    }

    OutputComparison comparison() {
        return comparison;
    }

    /**
     * Waits until everything that is due has been emitted and every partition's engine has the counts of an undisturbed
     * run. Nothing may be sent to the log meanwhile, except by engines.
     *
     * @param statuses of the partitions that running engines have, now
     * @throws AssertionError if something differs, or is not there after a patient while
     */
    void check(Supplier<List<PartitionStatus>> statuses) {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            // In this order: an output that is there comes of a record that is there.
            ConsumerRecords<byte[], byte[]> found = outputs.poll(POLL);
            readLog();
            found.forEach(record -> comparison.found(Output.of(record)));
            long missing = comparison.missingCount();
            if (missing == 0 && countsAgree(statuses.get())) {
                return;
            }
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError("after " + PATIENCE.toSeconds() + " s " + missing
                        + " outputs are missing, the first: " + comparison.firstMissing() + "; engines are at "
                        + statuses.get());
            }
        }
    }

    private void readLog() {
        Map<TopicPartition, Long> ends = log.endOffsets(log.assignment());
        while (ends.entrySet().stream().anyMatch(end -> log.position(end.getKey()) < end.getValue())) {
            log.poll(POLL).forEach(record -> {
                undisturbed.process(record);
                recordCount++;
            });
        }
        undisturbed.takeOutputs().forEach(comparison::expect);
    }

    private boolean countsAgree(List<PartitionStatus> statuses) {
        for (int partition = 0; partition < Deployment.PARTITIONS; partition++) {
            TaskState expected = undisturbed.counts(partition);
            int wanted = partition;
            List<PartitionStatus> there = statuses.stream()
                    .filter(status -> status.partition() == wanted && status.nextOffset() == expected.nextOffset())
                    .toList();
            if (there.isEmpty()) {
                return false;
            }
            for (PartitionStatus status : there) {
                requireSame(expected, status);
            }
        }
        return true;
    }

    private static void requireSame(TaskState expected, PartitionStatus found) {
        RecordCounts counts = new RecordCounts(
                expected.read(),
                expected.count(TaskState.End.SCORED),
                expected.count(TaskState.End.CONTROL),
                expected.count(TaskState.End.REFERENCE),
                expected.count(TaskState.End.LABEL),
                expected.count(TaskState.End.DUPLICATE),
                expected.count(TaskState.End.LATE),
                expected.count(TaskState.End.DEAD_LETTERED));
        if (!found.counts().equals(counts)
                || !found.counts().addUp()
                || found.alerts() != expected.alerts()
                || found.corrections() != expected.corrections()
                || found.summaries() != expected.summaries()) {
            throw new AssertionError("partition " + found.partition() + ": expected " + counts + ", "
                    + expected.alerts() + " alerts, " + expected.corrections() + " corrections and "
                    + expected.summaries() + " results of windows, found " + found);
        }
    }

    @Override
    public void close() {
        log.close();
        outputs.close();
    }
}
