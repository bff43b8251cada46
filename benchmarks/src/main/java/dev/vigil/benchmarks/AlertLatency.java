package dev.vigil.benchmarks;

import dev.vigil.event.EventEnvelope;
import dev.vigil.service.kafka.EventRecords;
import dev.vigil.service.kafka.KafkaClients;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.producer.KafkaProducer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How long an event takes from the moment at which it is due to be sent until the first byte of its alert is at a receiver. Broker, engine,
 * alerting and receivers are processes of their own. Events are due at fixed moments, whatever has become of those before. With
 * {@code --black-hole}, one of the receivers stops to answer halfway: what the others see before and after is told apart.
 */
@Command(
        name = "alert-latency",
        mixinStandardHelpOptions = true,
        description = "Measures the time from sending an event to the first byte of its alert at a webhook's receiver.")
public final class AlertLatency implements Callable<Integer> {
    private static final long HIGHEST_US = 600_000_000;
    private static final long WAIT_MS = 60_000;
    private static final int HOLE = 0;

    @Option(names = "--rate", defaultValue = "5000", description = "events per second (default ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--seconds", defaultValue = "60", description = "that are measured (default ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--unmeasured",
            defaultValue = "20",
            description = "seconds at that rate before measuring begins (default ${DEFAULT-VALUE})")
    private int unmeasuredSeconds;

    @Option(
            names = "--history",
            defaultValue = "200000",
            description =
                    "events scored before, so that code is compiled and accounts have a past (default ${DEFAULT-VALUE})")
    private long history;

    @Option(names = "--endpoints", defaultValue = "1", description = "of alerting (default ${DEFAULT-VALUE})")
    private int endpoints;

    @Option(names = "--black-hole", description = "one endpoint takes messages and never answers, from halfway on")
    private boolean blackHole;

    @Option(
            names = "--limit-ms",
            defaultValue = "0",
            description = "status 1 if the 99th percentile is above it; 0: no limit (default ${DEFAULT-VALUE})")
    private int limitMs;

    @Option(names = "--partitions", defaultValue = "4", description = "of the log (default ${DEFAULT-VALUE})")
    private int partitions;

    @Option(names = "--seed", defaultValue = "42", description = "of the events (default ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--engine-jvm",
            split = " ",
            defaultValue = "-Xmx1g -XX:+UseG1GC -XX:MaxGCPauseMillis=20",
            description = "options of the engine's JVM (default ${DEFAULT-VALUE})")
    private List<String> engineJvm = List.of();

    @Option(
            names = "--alerting-jvm",
            split = " ",
            defaultValue = "-Xmx256m",
            description = "options of alerting's JVM (default ${DEFAULT-VALUE})")
    private List<String> alertingJvm = List.of();

    private final Histogram firstHalfUs = new Histogram(HIGHEST_US, 3);
    private final Histogram secondHalfUs = new Histogram(HIGHEST_US, 3);

    public static void main(String[] args) {
        System.exit(new CommandLine(new AlertLatency()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        if (blackHole && endpoints < 2) {
            throw new IllegalArgumentException("--black-hole: expected at least two --endpoints");
        }
        try (Rig rig = Rig.start(partitions);
                Receivers receivers = Receivers.start(endpoints, rig.directory().resolve("received"))) {
            CardStream stream = new CardStream(seed);
            rig.load(stream, history);
            ProcessMeter engine = rig.startEngine(2, engineJvm);
            while (rig.appended(rig.topics().scored()) < history + partitions) {
                Thread.sleep(200);
                rig.requireEngine();
            }
            try (AlertingProcess alerting = AlertingProcess.start(
                    rig.kafka(), rig.directory().resolve("alerting"), alertingJvm, receivers.urls())) {
                awaitDelivered(rig, alerting, endpoints);
                double engineCpu = engine.cpuSeconds();
                double alertingCpu = alerting.meter().cpuSeconds();
                long alertsBefore = rig.appended(rig.topics().alerts());
                long startUs = play(rig, stream, receivers);
                awaitDelivered(rig, alerting, blackHole ? endpoints - 1 : endpoints);
                long alerts = rig.appended(rig.topics().alerts()) - alertsBefore;
                long events = (long) rate * (unmeasuredSeconds + seconds);
                EngineThroughput.line("alerts", "%d of %d events, %.2f %%", alerts, events, 100.0 * alerts / events);
                EngineThroughput.line(
                        "CPU",
                        "%.1f s of the engine, %.1f s of alerting",
                        engine.cpuSeconds() - engineCpu,
                        alerting.meter().cpuSeconds() - alertingCpu);
                receivers.end((receiver, event, atUs) -> note(receiver, event - history, atUs - startUs));
            }
        }
        return report();
    }

    /** Waits until the receivers that answer have all alerts. */
    private void awaitDelivered(Rig rig, AlertingProcess alerting, int answering) throws Exception {
        long endMs = System.currentTimeMillis() + WAIT_MS;
        while (true) {
            long alerts = rig.appended(rig.topics().alerts());
            AlertingProcess.Counts counts = alerting.counts();
            if (counts.alerts() >= alerts && counts.delivered() >= alerts * answering) {
                return;
            }
            if (System.currentTimeMillis() > endMs) {
                throw new IllegalStateException(alerts + " alerts, of which alerting has " + counts);
            }
            Thread.sleep(200);
        }
    }

    /** @return when the first event was due, µs since the epoch */
    private long play(Rig rig, CardStream stream, Receivers receivers) throws IOException {
        int total = rate * (unmeasuredSeconds + seconds);
        List<EventEnvelope> events = new ArrayList<>(total);
        for (int i = 0; i < total; i++) {
            events.add(stream.next());
        }
        long holeAt = (long) rate * unmeasuredSeconds + (long) rate * seconds / 2;
        String topic = rig.topics().events();
        try (KafkaProducer<byte[], byte[]> producer =
                KafkaClients.producer(rig.kafka(), "benchmark-sender", Map.of())) {
            producer.partitionsFor(topic);
            long startNs = System.nanoTime() + 500_000_000;
            long startUs =
                    ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now()) + (startNs - System.nanoTime()) / 1_000;
            for (int i = 0; i < total; i++) {
                long dueNs = startNs + dueUs(i) * 1_000;
                for (long wait = dueNs - System.nanoTime(); wait > 0; wait = dueNs - System.nanoTime()) {
                    LockSupport.parkNanos(wait);
                }
                if (blackHole && i == holeAt) {
                    receivers.blackHole(HOLE);
                }
                var unused = producer.send(EventRecords.keyed(topic, events.get(i)));
            }
            return startUs;
        }
    }

    private long dueUs(long event) {
        return event * 1_000_000 / rate;
    }

    private void note(int receiver, long event, long sinceStartUs) {
        long measured = event - (long) rate * unmeasuredSeconds;
        if (measured < 0 || blackHole && receiver == HOLE) {
            return;
        }
        Histogram half = measured < (long) rate * seconds / 2 ? firstHalfUs : secondHalfUs;
        half.recordValue(Math.min(HIGHEST_US, Math.max(0, sinceStartUs - dueUs(event))));
    }

    private int report() {
        Histogram all = firstHalfUs.copy();
        all.add(secondHalfUs);
        line("event to first byte", all);
        line(blackHole ? "… all answer" : "… first half", firstHalfUs);
        line(blackHole ? "… one black-holed" : "… second half", secondHalfUs);
        return limitMs == 0
                        || all.getValueAtPercentile(99)
                                <= Duration.ofMillis(limitMs).toNanos() / 1_000
                ? 0
                : 1;
    }

    private static void line(String name, Histogram histogram) {
        EngineThroughput.line(
                name,
                "%d messages, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, longest %.2f ms",
                histogram.getTotalCount(),
                histogram.getValueAtPercentile(50) / 1e3,
                histogram.getValueAtPercentile(99) / 1e3,
                histogram.getValueAtPercentile(99.9) / 1e3,
                histogram.getMaxValue() / 1e3);
    }
}
