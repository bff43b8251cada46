package dev.vigil.benchmarks;

import dev.vigil.event.EventEnvelope;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long an event takes from the moment at which it is due to be sent until its scored record, and its alert where it
 * raises one, are in a reader's hands. Events are due at fixed moments, whatever has become of those before (an open loop),
 * so a stall counts for all that were due meanwhile.
 */
@Command(
        name = "engine-latency",
        mixinStandardHelpOptions = true,
        description = "Measures the time from sending an event to reading its score and its alert, at a fixed rate.")
public final class EngineLatency implements Callable<Integer> {
    private static final long HIGHEST_US = 600_000_000;
    /** Often enough to see each checkpoint before it is removed. */
    private static final long LOOK_EVERY_NS = 500_000_000;

    private static final byte[] EVENT_ID = "\"event_id\":\"t-".getBytes(StandardCharsets.US_ASCII);

    @Option(names = "--rate", defaultValue = "500", description = "events per second (default ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--seconds", defaultValue = "60", description = "that are measured (default ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--unmeasured",
            defaultValue = "10",
            description = "seconds at that rate before measuring begins (default ${DEFAULT-VALUE})")
    private int unmeasuredSeconds;

    @Option(
            names = "--history",
            defaultValue = "200000",
            description =
                    "events scored before, so that code is compiled and accounts have a past (default ${DEFAULT-VALUE})")
    private long history;

    @Option(names = "--partitions", defaultValue = "4", description = "of the log (default ${DEFAULT-VALUE})")
    private int partitions;

    @Option(names = "--threads", defaultValue = "2", description = "that score (default ${DEFAULT-VALUE})")
    private int threads;

    @Option(
            names = "--checkpoint-every",
            defaultValue = "60",
            description =
                    "seconds between two checkpoints of a partition; what is due in the seconds of one is told apart"
                            + " (default ${DEFAULT-VALUE})")
    private int checkpointEverySeconds;

    @Option(names = "--seed", defaultValue = "42", description = "of the events (default ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--engine-jvm",
            split = " ",
            defaultValue = "-Xmx1g -XX:+UseG1GC -XX:MaxGCPauseMillis=20",
            description = "options of the engine's JVM (default ${DEFAULT-VALUE})")
    private List<String> engineJvm = List.of();

    private final Histogram scoredUs = new Histogram(HIGHEST_US, 3);
    private final CheckpointSplit split = new CheckpointSplit();
    private final Histogram alertUs = new Histogram(HIGHEST_US, 3);

    public static void main(String[] args) {
        System.exit(new CommandLine(new EngineLatency()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        try (Rig rig = Rig.start(partitions)) {
            CardStream stream = new CardStream(seed);
            rig.load(stream, history);
            rig.startEngine(threads, Duration.ofSeconds(checkpointEverySeconds), engineJvm);
            while (rig.appended(rig.topics().scored()) < history + partitions) {
                Thread.sleep(200);
                rig.requireEngine();
            }
            measure(rig, stream);
        }
        report("event to scored", scoredUs);
        report("event to alert", alertUs);
        split.split();
        report("… during checkpoints", split.duringUs());
        report("… without", split.withoutUs());
        if (split.duringUs().getTotalCount() > 0) {
            EngineThroughput.line(
                    "… p99.9",
                    "%.2f times that without",
                    (double) split.duringUs().getValueAtPercentile(99.9)
                            / Math.max(1, split.withoutUs().getValueAtPercentile(99.9)));
        }
        return 0;
    }

    private void measure(Rig rig, CardStream stream) throws InterruptedException, IOException {
        long total = (long) rate * (unmeasuredSeconds + seconds);
        List<EventEnvelope> events = new ArrayList<>();
        for (long i = 0; i < total; i++) {
            events.add(stream.next());
        }
        Map<String, Object> eager = Map.of(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
        try (KafkaConsumer<byte[], byte[]> reader = KafkaClients.consumer(rig.kafka(), "benchmark-reader", eager);
                KafkaProducer<byte[], byte[]> producer =
                        KafkaClients.producer(rig.kafka(), "benchmark-sender", Map.of())) {
            List<TopicPartition> read =
                    new ArrayList<>(rig.partitions(rig.topics().scored()));
            read.addAll(rig.partitions(rig.topics().alerts()));
            reader.assign(read);
            reader.seekToEnd(read);
            read.forEach(reader::position);
            producer.partitionsFor(rig.topics().events());
            long startNs = System.nanoTime() + 500_000_000;
            Thread sender = new Thread(() -> send(events, producer, rig.topics().events(), startNs), "sender");
            sender.start();
            readAll(rig, reader, total, startNs);
            sender.join();
        }
    }

    private long dueNs(long startNs, long index) {
        return startNs + index * 1_000_000_000 / rate;
    }

    private void send(List<EventEnvelope> events, KafkaProducer<byte[], byte[]> producer, String topic, long startNs) {
        for (int i = 0; i < events.size(); i++) {
            long due = dueNs(startNs, i);
            for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
                LockSupport.parkNanos(wait);
            }
            var unused = producer.send(EventRecords.keyed(topic, events.get(i)));
        }
    }

    private void readAll(Rig rig, KafkaConsumer<byte[], byte[]> reader, long total, long startNs) throws IOException {
        long read = 0;
        long lookAtNs = startNs;
        while (read < total) {
            rig.requireEngine();
            if (System.nanoTime() >= lookAtNs) {
                split.checkpoints(rig.checkpointTimesMs());
                lookAtNs += LOOK_EVERY_NS;
            }
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(Duration.ofSeconds(1))) {
                long latencyUs = (System.nanoTime() - dueNs(startNs, eventIndex(record.value()) - history)) / 1_000;
                boolean isAlert = record.topic().equals(rig.topics().alerts());
                read += isAlert ? 0 : 1;
                if (eventIndex(record.value()) - history >= (long) rate * unmeasuredSeconds) {
                    long heldUs = Math.min(HIGHEST_US, Math.max(0, latencyUs));
                    (isAlert ? alertUs : scoredUs).recordValue(heldUs);
                    if (!isAlert) {
                        split.event(System.currentTimeMillis() - latencyUs / 1_000, heldUs);
                    }
                }
            }
        }
        split.checkpoints(rig.checkpointTimesMs());
    }

    /** The number in {@code "event_id":"t-123"}. */
    private static long eventIndex(byte[] json) {
        int at = 0;
        while (!java.util.Arrays.equals(json, at, at + EVENT_ID.length, EVENT_ID, 0, EVENT_ID.length)) {
            at++;
        }
        long index = 0;
        for (int i = at + EVENT_ID.length; json[i] != '"'; i++) {
            index = index * 10 + json[i] - '0';
        }
        return index;
    }

    private static void report(String name, Histogram histogram) {
        EngineThroughput.line(
                name,
                "%d records, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.2f ms",
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50) / 1e3,
                histogram.getValueAtPercentile(99) / 1e3,
                histogram.getValueAtPercentile(99.9) / 1e3,
                histogram.getMaxValue() / 1e3);
    }
}
