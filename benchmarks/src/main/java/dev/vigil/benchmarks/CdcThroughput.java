package dev.vigil.benchmarks;

import dev.vigil.event.EventEnvelope;
import dev.vigil.service.kafka.KafkaClients;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How fast inserted rows come through database, capture and broker into the log, and how long a commit takes to get there at a
 * fixed rate. Everything shares the machine, this program's writer and reader too.
 */
@Command(
        name = "cdc-throughput",
        mixinStandardHelpOptions = true,
        description = "Measures rows per second from PostgreSQL to the log, and the time from a commit to the log.")
public final class CdcThroughput implements Callable<Integer> {
    private static final int ROWS_PER_TRANSACTION = 1_000;
    private static final int COMMITS_PER_SECOND = 100;
    private static final Duration POLL = Duration.ofMillis(20);
    private static final long STALLED_NS = 120_000_000_000L;

    @Option(names = "--rows", defaultValue = "200000", description = "to insert (default ${DEFAULT-VALUE})")
    private long rows;

    @Option(names = "--unmeasured", defaultValue = "50000", description = "rows before them (default ${DEFAULT-VALUE})")
    private long unmeasured;

    @Option(
            names = "--rate",
            defaultValue = "1000",
            description = "rows per second for the latency (default ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--seconds", defaultValue = "20", description = "at that rate (default ${DEFAULT-VALUE})")
    private int seconds;

    @Option(
            names = "--least-rows-per-second",
            defaultValue = "20000",
            description = "else status 1 (default ${DEFAULT-VALUE})")
    private double leastRate;

    @Option(names = "--most-p99-ms", defaultValue = "100", description = "else status 1 (default ${DEFAULT-VALUE})")
    private double mostP99Ms;

    @Option(
            names = "--ingest-jvm",
            split = " ",
            defaultValue = "-Xmx512m -XX:+UseParallelGC",
            description = "options of the capture's JVM (default ${DEFAULT-VALUE})")
    private List<String> ingestJvm = List.of();

    private final Map<Long, Long> committedNs = new ConcurrentHashMap<>();
    private long readCount;

    public static void main(String[] args) {
        System.exit(new CommandLine(new CdcThroughput()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        try (CdcRig rig = CdcRig.start(4);
                KafkaConsumer<byte[], byte[]> log =
                        KafkaClients.consumer(rig.kafka(), "benchmark-reader", new HashMap<>())) {
            log.assign(rig.log());
            log.seekToBeginning(rig.log());
            ProcessMeter ingest = rig.startIngest(ingestJvm);
            insert(rig, 1);
            readTo(rig, log, 1);
            insert(rig, unmeasured);
            readTo(rig, log, 1 + unmeasured);
            double rowsPerSecond = throughput(rig, log, ingest);
            Histogram latency = latency(rig, log);
            double p99Ms = latency.getValueAtPercentile(99) / 1e3;
            line(
                    "commit to log, at " + rate + " rows/s",
                    String.format(
                            Locale.ROOT,
                            "p50 %.1f ms, p99 %.1f ms, max %.1f ms",
                            latency.getValueAtPercentile(50) / 1e3,
                            p99Ms,
                            latency.getMaxValue() / 1e3));
            ingest.peakResidentMib().ifPresent(mib -> line("capture peak memory", mib + " MiB"));
            return rowsPerSecond >= leastRate && p99Ms <= mostP99Ms ? 0 : 1;
        }
    }

    private double throughput(CdcRig rig, KafkaConsumer<byte[], byte[]> log, ProcessMeter ingest) throws Exception {
        double cpuBefore = ingest.cpuSeconds();
        long startNs = System.nanoTime();
        Thread writer = new Thread(() -> insertUnchecked(rig, rows), "benchmark-writer");
        writer.start();
        readTo(rig, log, 1 + unmeasured + rows);
        double elapsed = (System.nanoTime() - startNs) / 1e9;
        writer.join();
        line(
                "rows",
                String.format(
                        Locale.ROOT,
                        "%,d in %.1f s: %,.0f rows/s from the first insert to the last record read",
                        rows,
                        elapsed,
                        rows / elapsed));
        line(
                "capture",
                String.format(
                        Locale.ROOT, "%.1f CPU s per million rows", (ingest.cpuSeconds() - cpuBefore) / rows * 1e6));
        return rows / elapsed;
    }

    private Histogram latency(CdcRig rig, KafkaConsumer<byte[], byte[]> log) throws Exception {
        long total = (long) rate * seconds;
        long first = 2 + unmeasured + rows;
        Thread writer = new Thread(() -> insertAtRate(rig, first), "benchmark-writer");
        Histogram latencyUs = new Histogram(3);
        long target = readCount + total;
        long seenNs = System.nanoTime();
        writer.start();
        while (readCount < target) {
            for (ConsumerRecord<byte[], byte[]> record : log.poll(POLL)) {
                seenNs = System.nanoTime();
                readCount++;
                measure(record, seenNs, latencyUs);
            }
            requireProgress(rig, seenNs);
        }
        writer.join();
        return latencyUs;
    }

    /** Rows are known to be committed a moment after they may be in the log; those count as no time at all. */
    private void measure(ConsumerRecord<byte[], byte[]> record, long nowNs, Histogram latencyUs) {
        long id = Long.parseLong(
                new String(record.headers().lastHeader(EventEnvelope.ID_HEADER).value(), StandardCharsets.UTF_8));
        Long atNs = committedNs.get(id / (rate / COMMITS_PER_SECOND));
        latencyUs.recordValue(atNs == null ? 0 : Math.max(0, (nowNs - atNs) / 1_000));
    }

    private void insertAtRate(CdcRig rig, long first) {
        int perCommit = rate / COMMITS_PER_SECOND;
        try (Connection connection = rig.connect();
                PreparedStatement insert = connection.prepareStatement(insertStatement())) {
            // Aligned, so that all rows of a commit share a number.
            long id = (first + perCommit - 1) / perCommit * perCommit;
            connection.createStatement().execute("SELECT setval('payments_id_seq', " + id + ", false)");
            long startNs = System.nanoTime();
            for (long commit = 0; commit < (long) seconds * COMMITS_PER_SECOND; commit++) {
                long dueNs = startNs + commit * 1_000_000_000L / COMMITS_PER_SECOND;
                long waitNs = dueNs - System.nanoTime();
                if (waitNs > 0) {
                    Thread.sleep(waitNs / 1_000_000, (int) (waitNs % 1_000_000));
                }
                insert.setLong(1, perCommit);
                insert.execute();
                committedNs.put(id / perCommit + commit, System.nanoTime());
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void insertUnchecked(CdcRig rig, long count) {
        try {
            insert(rig, count);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void insert(CdcRig rig, long count) throws SQLException {
        try (Connection connection = rig.connect();
                PreparedStatement insert = connection.prepareStatement(insertStatement())) {
            for (long done = 0; done < count; done += ROWS_PER_TRANSACTION) {
                insert.setLong(1, Math.min(ROWS_PER_TRANSACTION, count - done));
                insert.execute();
            }
        }
    }

    private static String insertStatement() {
        return "INSERT INTO payments (account_id, amount, merchant, country, device, lat, lon, at) SELECT 'A' ||"
                + " (random() * 100000)::int, (random() * 500)::numeric(12,2), 'M' || (random() * 1000)::int, 'BE', 'D' ||"
                + " (random() * 100000)::int, 50 + random(), 4 + random(), clock_timestamp() FROM generate_series(1, ?)";
    }

    private void readTo(CdcRig rig, KafkaConsumer<byte[], byte[]> log, long total) {
        long seenNs = System.nanoTime();
        while (readCount < total) {
            int found = log.poll(POLL).count();
            if (found > 0) {
                readCount += found;
                seenNs = System.nanoTime();
            }
            requireProgress(rig, seenNs);
        }
    }

    private static void requireProgress(CdcRig rig, long seenNs) {
        rig.requireIngest();
        if (System.nanoTime() - seenNs > STALLED_NS) {
            throw new IllegalStateException("nothing came to the log for two minutes");
        }
    }

    private static void line(String what, String value) {
        System.out.printf(Locale.ROOT, "%-30s %s%n", what, value);
    }
}
