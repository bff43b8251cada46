package dev.vigil.engine.kafka;

import dev.vigil.event.TopicNames;
import dev.vigil.scoring.state.TaskState;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.status.EngineStatus.PartitionStatus;
import dev.vigil.service.status.RecordCounts;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Compares, as a run goes on, what engines emit with what the log gives undisturbed. A reader that drops positions it has
 * passed must be left with exactly that, byte for byte; and what it drops must be what it has seen at that position.
 * Keeps a hash per output, not the outputs. One thread.
 */
final class OutputCheck implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(180);
    private static final Duration POLL = Duration.ofMillis(50);

    private final KafkaConsumer<byte[], byte[]> log;
    private final KafkaConsumer<byte[], byte[]> outputs;
    private final OfflineRun undisturbed;
    private final Map<String, Deque<Output>> due = new HashMap<>();
    private final Map<String, Long> passed = new HashMap<>();
    private final Map<String, Map<Long, Integer>> hashes = new HashMap<>();
    private long recordCount;
    private long keptCount;
    private long repeatCount;
    private long alertCount;

    OutputCheck(Deployment deployment) {
        TopicNames topics = deployment.kafka().topics();
        log = reader(deployment, List.of(topics.events()));
        outputs = reader(deployment, List.of(topics.scored(), topics.alerts(), topics.late(), topics.deadLetters()));
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

    long keptCount() {
        return keptCount;
    }

    long repeatCount() {
        return repeatCount;
    }

    long alertCount() {
        return alertCount;
    }

    /**
     * Waits until everything that is due has been emitted and every partition's engine has the counts of an undisturbed
     * run. Nothing may be sent to the log meanwhile.
     *
     * @param statuses of the partitions that running engines have, now
     * @throws AssertionError if something differs, or is not there after a patient while
     */
    void check(Supplier<List<PartitionStatus>> statuses) {
        long deadlineNs = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            readLog();
            outputs.poll(POLL).forEach(record -> compare(Output.of(record)));
            long missing = due.values().stream().mapToLong(Deque::size).sum();
            if (missing == 0 && countsAgree(statuses.get())) {
                return;
            }
            if (System.nanoTime() > deadlineNs) {
                throw new AssertionError("after " + PATIENCE.toSeconds() + " s " + missing
                        + " outputs are missing; engines are at " + statuses.get());
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
        for (Output output : undisturbed.takeOutputs()) {
            due.computeIfAbsent(place(output), p -> new ArrayDeque<>()).add(output);
            if (output.topic().endsWith(".alerts")) {
                alertCount++;
            }
        }
    }

    private static String place(Output output) {
        return output.topic() + "-" + output.partition();
    }

    private void compare(Output output) {
        String place = place(output);
        long offset = output.sourceOffset();
        Map<Long, Integer> seen = hashes.computeIfAbsent(place, p -> new HashMap<>());
        if (offset <= passed.getOrDefault(place, -1L)) {
            repeatCount++;
            Integer hash = seen.get(offset);
            if (hash == null || hash != output.hashCode()) {
                throw new AssertionError(place + ": a repeat that differs, of offset " + offset + ": " + output);
            }
            return;
        }
        passed.put(place, offset);
        seen.put(offset, output.hashCode());
        keptCount++;
        Output expected = due.getOrDefault(place, new ArrayDeque<>()).poll();
        if (!output.equals(expected)) {
            throw new AssertionError(place + ": expected " + expected + "\nfound " + output);
        }
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
        if (!found.counts().equals(counts) || !found.counts().addUp() || found.alerts() != expected.alerts()) {
            throw new AssertionError("partition " + found.partition() + ": expected " + counts + " and "
                    + expected.alerts() + " alerts, found " + found);
        }
    }

    @Override
    public void close() {
        log.close();
        outputs.close();
    }
}
