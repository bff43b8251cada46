package dev.vigil.benchmarks;

import dev.vigil.event.Alert;
import dev.vigil.event.Decision;
import dev.vigil.event.Json;
import dev.vigil.event.RuleHit;
import dev.vigil.event.SourcePosition;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.TopicSetup;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * What alerting's memory is with a tenth of the alerts undelivered, and with all of them, while the endpoint takes messages and never
 * answers; and how fast another endpoint, which answers, gets them all the while. Broker, alerting and receivers are processes of their own.
 */
@Command(
        name = "alert-backlog",
        mixinStandardHelpOptions = true,
        description = "Measures alerting's memory with many alerts undelivered, and the rate of delivery beside them.")
public final class AlertBacklog implements Callable<Integer> {
    private static final int ACCOUNTS = 100_000;
    private static final int HOLE = 1;
    private static final long STALLED_MS = 60_000;

    @Option(
            names = "--alerts",
            defaultValue = "1000000",
            description = "undelivered in the end (default ${DEFAULT-VALUE})")
    private long alerts;

    @Option(
            names = "--limit-mib",
            defaultValue = "64",
            description =
                    "status 1 if the resident memory grows by more from a tenth to all (default ${DEFAULT-VALUE})")
    private long limitMib;

    @Option(names = "--partitions", defaultValue = "4", description = "of the topic (default ${DEFAULT-VALUE})")
    private int partitions;

    @Option(
            names = "--alerting-jvm",
            split = " ",
            defaultValue = "-Xmx128m",
            description = "options of alerting's JVM (default ${DEFAULT-VALUE})")
    private List<String> alertingJvm = List.of();

    public static void main(String[] args) {
        System.exit(new CommandLine(new AlertBacklog()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        try (Rig rig = Rig.start(partitions);
                Receivers receivers = Receivers.start(2, rig.directory().resolve("received"))) {
            receivers.blackHole(HOLE);
            String logId = String.valueOf(TopicSetup.ensure(rig.kafka(), "benchmark-setup")
                    .get(rig.topics().events()));
            try (AlertingProcess alerting = AlertingProcess.start(
                    rig.kafka(), rig.directory().resolve("alerting"), alertingJvm, receivers.urls())) {
                long tenth = alerts / 10;
                OptionalLong before = pile(rig, alerting, logId, 0, tenth);
                OptionalLong after = pile(rig, alerting, logId, tenth, alerts);
                if (before.isEmpty() || after.isEmpty()) {
                    System.err.println("alert-backlog: this system does not tell a process's resident memory");
                    return 1;
                }
                long growth = after.getAsLong() - before.getAsLong();
                EngineThroughput.line("growth", "%d MiB (limit %d MiB)", growth, limitMib);
                return growth <= limitMib ? 0 : 1;
            }
        }
    }

    /** Writes alerts and waits until one endpoint has them all and they are pending at the other. */
    private OptionalLong pile(Rig rig, AlertingProcess alerting, String logId, long from, long end)
            throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        Map<String, Object> bulk =
                Map.of(ProducerConfig.LINGER_MS_CONFIG, 20, ProducerConfig.BATCH_SIZE_CONFIG, 256 << 10);
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(rig.kafka(), "benchmark-load", bulk)) {
            for (long i = from; i < end; i++) {
                int partition = (int) (i % partitions);
                var unused = producer.send(new ProducerRecord<>(
                        rig.topics().alerts(), partition, null, Json.encode(alert(logId, partition, i))));
            }
        }
        AlertingProcess.Counts counts = alerting.counts();
        long movedMs = System.currentTimeMillis();
        while (counts.delivered() < end || counts.pending() < end) {
            Thread.sleep(200);
            AlertingProcess.Counts now = alerting.counts();
            if (!now.equals(counts)) {
                movedMs = System.currentTimeMillis();
            } else if (System.currentTimeMillis() - movedMs > STALLED_MS) {
                throw new IllegalStateException("nothing moves; of " + end + " alerts alerting has " + now);
            }
            counts = now;
        }
        double elapsed = (System.nanoTime() - startNs) / 1e9;
        OptionalLong residentMib = alerting.meter().residentMib();
        EngineThroughput.line(
                counts.pending() + " undelivered",
                "%d MiB resident; the endpoint that answers got %.0f alerts/s",
                residentMib.orElse(-1),
                (end - from) / elapsed);
        return residentMib;
    }

    private static Alert alert(String logId, int partition, long index) {
        String account = "acc-" + index % ACCOUNTS;
        return new Alert(
                "alert-" + index,
                "t-" + index,
                "/benchmark/cards",
                "transaction",
                account,
                1_760_000_000_000_000L + index * 1_000,
                System.currentTimeMillis(),
                new SourcePosition(logId, partition, index),
                "velocity",
                1,
                "EUR",
                60,
                Decision.REVIEW,
                account,
                0,
                Map.of("amount", 125_000, "merchant", "m-" + index % 20_000, "country", "DE"),
                List.of(new RuleHit(
                        "unusual",
                        40,
                        "eight times the average of 7 days",
                        Map.of("amount", 125_000, "c_7d", 12, "s_7d", 180_000))));
    }
}
