package dev.vigil.benchmarks;

import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How many events per second the HTTP intake takes in batches, each checked against the demo's policy and answered once the broker
 * has it; or the Kafka intake, one to a record, from the first that is sent to the last that the log has. The service is started as a deployment starts it. Everything shares the machine, this program's clients too.
 */
@Command(
        name = "intake-throughput",
        mixinStandardHelpOptions = true,
        description = "Measures events per second through the intake into the log: by HTTP in batches, or by Kafka.")
public final class IntakeThroughput implements Callable<Integer> {
    private static final String PREFIX = "bench";
    private static final int ACCOUNTS = 100_000;

    @Option(names = "--events", defaultValue = "400000", description = "to send (default ${DEFAULT-VALUE})")
    private int events;

    @Option(
            names = "--unmeasured",
            defaultValue = "200000",
            description = "events before them (default ${DEFAULT-VALUE})")
    private int unmeasured;

    @Option(names = "--kafka", description = "through the intake topic, one event to a record, in place of HTTP")
    private boolean isByKafka;

    @Option(
            names = "--batch",
            defaultValue = "100",
            description = "events of a request by HTTP (default ${DEFAULT-VALUE})")
    private int batch;

    @Option(
            names = "--clients",
            defaultValue = "4",
            description = "that send at once by HTTP (default ${DEFAULT-VALUE})")
    private int clients;

    @Option(names = "--partitions", defaultValue = "4", description = "of the log (default ${DEFAULT-VALUE})")
    private int partitions;

    @Option(
            names = "--at-least",
            defaultValue = "20000",
            description = "events per second, else status 1 (default ${DEFAULT-VALUE})")
    private double atLeast;

    @Option(names = "--start-script", required = true, hidden = true)
    private String startScript = "";

    @Option(names = "--policy", required = true, hidden = true)
    private String policy = "";

    private final AtomicLong nextBatch = new AtomicLong();
    /** Of records; far from those of batches. */
    private long nextEvent = 1L << 40;

    public static void main(String[] args) {
        System.exit(new CommandLine(new IntakeThroughput()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Path directory = Files.createTempDirectory("vigil-benchmark-intake");
        try (EmbeddedKafkaProcess broker = EmbeddedKafkaProcess.start(directory.resolve("broker"))) {
            int port = freePort();
            Path config = write(directory, broker.bootstrapServers(), port);
            Process intake = vigil(directory, "run", "--only", "dashboard-api", "--config", config.toString());
            try {
                vigil(directory, "policy", "apply", policy, "--config", config.toString())
                        .onExit()
                        .get(120, TimeUnit.SECONDS);
                return measure(broker, intake, URI.create("http://127.0.0.1:" + port + "/api/v1/events"));
            } finally {
                stop(intake);
            }
        } finally {
            delete(directory);
        }
    }

    private int measure(EmbeddedKafkaProcess broker, Process intake, URI address) throws Exception {
        ProcessMeter intakeMeter = new ProcessMeter(intake.pid());
        ProcessMeter brokerMeter = new ProcessMeter(broker.pid());
        KafkaConfig kafka = EngineMain.kafka(broker.bootstrapServers(), PREFIX, partitions);
        awaitPolicy(intake, address);
        send(kafka, address, unmeasured, new Histogram(3));
        long logBefore = logSize(kafka);
        double intakeBefore = intakeMeter.cpuSeconds();
        double brokerBefore = brokerMeter.cpuSeconds();
        Histogram answersUs = new ConcurrentHistogram(3);
        long startNs = System.nanoTime();
        send(kafka, address, events, answersUs);
        double elapsed = (System.nanoTime() - startNs) / 1e9;
        long stored = logSize(kafka) - logBefore;
        double rate = events / elapsed;
        line("events", String.format(Locale.ROOT, "%,d in %.1f s: %,.0f events/s", events, elapsed, rate));
        if (!isByKafka) {
            line(
                    "answers",
                    String.format(
                            Locale.ROOT,
                            "to batches of %d: p50 %.1f ms, p99 %.1f ms",
                            batch,
                            answersUs.getValueAtPercentile(50) / 1e3,
                            answersUs.getValueAtPercentile(99) / 1e3));
        }
        line(
                "CPU s per million events",
                String.format(
                        Locale.ROOT,
                        "intake %.1f, broker %.1f",
                        (intakeMeter.cpuSeconds() - intakeBefore) / events * 1e6,
                        (brokerMeter.cpuSeconds() - brokerBefore) / events * 1e6));
        intakeMeter.peakResidentMib().ifPresent(mib -> line("intake peak memory", mib + " MiB"));
        if (stored != events) {
            throw new IllegalStateException("expected " + events + " more records in the log, found " + stored);
        }
        return rate >= atLeast ? 0 : 1;
    }

    private void send(KafkaConfig kafka, URI address, int count, Histogram answersUs) throws Exception {
        if (isByKafka) {
            sendRecords(kafka, count);
        } else {
            post(address, count, answersUs);
        }
    }

    /** Sends so many events as a foreign producer, without keys, and returns when the log has as many more. */
    private void sendRecords(KafkaConfig kafka, int count) throws Exception {
        long expected = logSize(kafka) + count;
        byte[] contentType = "application/cloudevents+json".getBytes(StandardCharsets.UTF_8);
        try (KafkaProducer<byte[], byte[]> producer = KafkaClients.producer(kafka, "benchmark-foreign", Map.of())) {
            for (int i = 0; i < count; i++) {
                long number = nextEvent++;
                StringBuilder json = new StringBuilder(330);
                event(json, number, new SplittableRandom(number), now());
                ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                        kafka.topics().intake(), json.toString().getBytes(StandardCharsets.UTF_8));
                record.headers().add("content-type", contentType);
                var unused = producer.send(record);
            }
            producer.flush();
        }
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
        while (logSize(kafka) < expected) {
            if (System.nanoTime() > deadlineNs) {
                throw new IllegalStateException(
                        "expected " + expected + " records in the log, found " + logSize(kafka));
            }
            Thread.sleep(100);
        }
    }

    /** Posts so many events from all clients and returns when each was answered with 202. */
    private void post(URI address, int count, Histogram answersUs) throws Exception {
        AtomicLong left = new AtomicLong((count + batch - 1) / batch);
        ExecutorService pool = Executors.newFixedThreadPool(clients, task -> new Thread(task, "benchmark-client"));
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int client = 0; client < clients; client++) {
                running.add(pool.submit(() -> {
                    HttpClient http = HttpClient.newBuilder()
                            .version(HttpClient.Version.HTTP_1_1)
                            .build();
                    while (left.decrementAndGet() >= 0) {
                        byte[] body = body(nextBatch.getAndIncrement());
                        long sentNs = System.nanoTime();
                        post(http, address, body);
                        answersUs.recordValue((System.nanoTime() - sentNs) / 1_000);
                    }
                    return null;
                }));
            }
            for (Future<?> client : running) {
                client.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private static void post(HttpClient http, URI address, byte[] body) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(
                HttpRequest.newBuilder(address)
                        .header("content-type", "application/cloudevents-batch+json")
                        .timeout(Duration.ofSeconds(30))
                        .POST(BodyPublishers.ofByteArray(body))
                        .build(),
                BodyHandlers.ofString());
        if (answer.statusCode() != 202) {
            throw new IllegalStateException("expected status 202, found " + answer.statusCode() + ": " + answer.body());
        }
    }

    private byte[] body(long number) {
        SplittableRandom random = new SplittableRandom(number);
        StringBuilder json = new StringBuilder(batch * 330).append('[');
        String time = now();
        for (int event = 0; event < batch; event++) {
            event(json.append(event == 0 ? "" : ","), number * batch + event, random, time);
        }
        return json.append(']').toString().getBytes(StandardCharsets.UTF_8);
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static void event(StringBuilder json, long id, SplittableRandom random, String time) {
        json.append("{\"specversion\":\"1.0\",\"id\":\"t-")
                .append(id)
                .append("\",\"source\":\"/bank\",\"type\":\"transaction\",\"subject\":\"A")
                .append(random.nextInt(ACCOUNTS))
                .append("\",\"time\":\"")
                .append(time)
                .append("\",\"data\":{\"amount\":\"")
                .append(random.nextInt(1, 500))
                .append('.')
                .append(random.nextInt(10, 100))
                .append("\",\"merchant\":\"M")
                .append(random.nextInt(5_000))
                .append("\",\"terminal\":\"T")
                .append(random.nextInt(9_000))
                .append("\",\"category\":\"groceries\",\"country\":\"BE\",\"lat\":50.8")
                .append(random.nextInt(10_000))
                .append(",\"lon\":4.3")
                .append(random.nextInt(10_000))
                .append("}}");
    }

    /** Until it takes events, which it does once it has read which policy is active. */
    private void awaitPolicy(Process intake, URI address) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (true) {
            try {
                post(HttpClient.newHttpClient(), address, body(nextBatch.getAndIncrement()));
                return;
            } catch (IOException | IllegalStateException e) {
                if (!intake.isAlive() || System.nanoTime() > deadlineNs) {
                    throw e;
                }
                Thread.sleep(200);
            }
        }
    }

    private Path write(Path directory, String bootstrapServers, int port) throws IOException {
        return Files.writeString(directory.resolve("vigil.yaml"), """
            kafka:
              bootstrap-servers: "%s"
              topic-prefix: %s
              partitions: %d
              replication-factor: 1
              min-insync-replicas: 1
            data-dir: %s
            dashboard:
              port: %d
              intake: {rate-limit: {events-per-second: 0}}
            """.formatted(
                        bootstrapServers, PREFIX, partitions, directory.resolve("data"), port));
    }

    private Process vigil(Path directory, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(startScript));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command)
                .directory(directory.toFile())
                .inheritIO()
                .start();
    }

    private long logSize(KafkaConfig kafka) throws Exception {
        try (Admin admin = KafkaClients.admin(kafka, "benchmark-admin")) {
            Map<TopicPartition, OffsetSpec> ends = IntStream.range(0, partitions)
                    .boxed()
                    .collect(Collectors.toMap(
                            partition -> new TopicPartition(kafka.topics().events(), partition),
                            partition -> OffsetSpec.latest()));
            return admin.listOffsets(ends).all().get().values().stream()
                    .mapToLong(end -> end.offset())
                    .sum();
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void stop(Process intake) throws InterruptedException {
        intake.toHandle().destroy();
        try {
            intake.onExit().get(30, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            intake.destroyForcibly().onExit().join();
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static void line(String what, String value) {
        System.out.printf(Locale.ROOT, "%-30s %s%n", what, value);
    }
}
