package dev.vigil.cdc.debezium;

import dev.vigil.embedded.DatabaseOptions;
import dev.vigil.embedded.EmbeddedDatabase;
import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.event.TopicNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.KafkaException;
import org.awaitility.Awaitility;

/**
 * Disturbs change capture, its broker and its database under traffic, in random order and at random moments, and after each
 * disturbance compares the log with what the writer knows to be committed. Started by {@code benchmarks/bin/crash-suite
 * --target cdc}; ends with one line of figures and status 0 only if all holds. The seed gives the same order and traffic again,
 * though not the same moments.
 */
final class CrashSuite implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofMinutes(4);

    /** What is done to it. */
    private enum Disturbance {
        KILL_INGEST,
        KILL_IN_SNAPSHOT,
        KILL_BROKER,
        RESTART_DATABASE,
        WAKE_ZOMBIE,
        DAMAGE_POSITION,
        DELETE_POSITION;

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private final long seed;
    private final double minutes;
    private final Random random;
    private final Path directory;
    private final long startNs = System.nanoTime();
    private final Map<Disturbance, Integer> counts = new EnumMap<>(Disturbance.class);
    private final List<Disturbance> ahead = new ArrayList<>();
    private final EmbeddedKafkaProcess broker;
    private final CrashWriter writer;
    private final LogReader log;
    private final CrashLog crashLog;
    private volatile EmbeddedDatabase database;
    private Process ingest;
    private boolean stateWasLost;

    private CrashSuite(long seed, double minutes, Path directory) throws Exception {
        this.seed = seed;
        this.minutes = minutes;
        this.random = new Random(seed);
        this.directory = directory;
        this.database = EmbeddedDatabase.start(directory.resolve("postgresql"));
        this.broker = EmbeddedKafkaProcess.start(directory.resolve("broker"));
        this.log = new LogReader(broker.bootstrapServers(), new TopicNames("crash"));
        execute(
                "CREATE SCHEMA crash",
                "CREATE TABLE crash.ledger (id bigint PRIMARY KEY)",
                "CREATE TABLE crash.accounts (account_id text PRIMARY KEY, home_country text)",
                "CREATE TABLE crash.cards (card_id bigint PRIMARY KEY, account_id text)",
                "CREATE TABLE crash.payments (id bigint PRIMARY KEY, card_id bigint, amount numeric(12,2),"
                        + " transaction bigint, at timestamptz)");
        Files.createDirectories(data());
        Files.writeString(directory.resolve("cdc.yaml"), yaml());
        this.writer = new CrashWriter(new Random(seed + 1), () -> database, "crash");
        this.crashLog = new CrashLog(log, writer);
        this.ingest = startIngest();
        awaitSlots(1); // rows that the first snapshot finds would have their cards' accounts of that moment
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!List.of("--target", "--seed", "--minutes").contains(args[i]) || i + 1 == args.length) {
                System.err.println("usage: crash-suite --target cdc [--minutes M] [--seed S]");
                System.exit(2);
            }
            options.put(args[i], args[i + 1]);
        }
        long seed = options.containsKey("--seed")
                ? Long.parseLong(options.get("--seed"))
                : new SecureRandom().nextInt(Integer.MAX_VALUE);
        double minutes = Double.parseDouble(options.getOrDefault("--minutes", "1"));
        System.err.printf(Locale.ROOT, "crash-suite --target cdc --minutes %s --seed %d%n", minutes, seed);
        Path directory = Files.createTempDirectory("vigil-crash-suite-cdc");
        boolean held;
        try (CrashSuite suite = new CrashSuite(seed, minutes, directory)) {
            Runtime.getRuntime().addShutdownHook(new Thread(suite::endProcesses, "crash-suite-end"));
            held = suite.run();
        }
        if (held) {
            deleteTree(directory);
        }
        System.exit(held ? 0 : 1);
    }

    private boolean run() throws Exception {
        Thread thread = new Thread(writer, "crash-writer");
        thread.start();
        Disturbance last = null;
        String result = "nothing lost, nothing invented";
        try {
            disturbOnceWithState();
            while (seconds() < minutes * 60 || counts.size() < Disturbance.values().length) {
                writer.go();
                Thread.sleep(500 + random.nextInt(1_500));
                last = next();
                System.err.printf(Locale.ROOT, "%6.1f s  %s%n", seconds(), last.label());
                disturb(last);
                Thread.sleep(random.nextInt(1_000));
                writer.rest();
                verify();
                counts.merge(last, 1, Integer::sum);
            }
            if (crashLog.repeatCount() == 0) {
                throw new AssertionError("this tested nothing: expected repeats");
            }
        } catch (AssertionError | Exception e) {
            e.printStackTrace();
            result = "FAILED after " + (last == null ? "the start" : last.label()) + ": " + firstLine(e) + "; see "
                    + directory;
        } finally {
            writer.end();
            thread.join();
        }
        System.out.printf(
                Locale.ROOT,
                "%s: seed %d, %.0f s, %,d payments committed, %,d records, %,d repeats, %s%n",
                result,
                seed,
                seconds(),
                writer.payments.size(),
                crashLog.recordCount(),
                crashLog.repeatCount(),
                counts);
        return !result.startsWith("FAILED");
    }

    /** Before anything was lost, when each payment can have one account only. */
    private void disturbOnceWithState() throws Exception {
        for (Disturbance disturbance : List.of(Disturbance.KILL_INGEST, Disturbance.KILL_INGEST)) {
            writer.go();
            Thread.sleep(3_000);
            System.err.printf(Locale.ROOT, "%6.1f s  %s%n", seconds(), disturbance.label());
            disturb(disturbance);
            Thread.sleep(1_000);
            writer.rest();
            verify();
            counts.merge(disturbance, 1, Integer::sum);
        }
    }

    private static String firstLine(Throwable e) {
        String line = String.valueOf(e).lines().findFirst().orElse("");
        return line.substring(0, Math.min(400, line.length()));
    }

    private double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private Disturbance next() {
        if (ahead.isEmpty()) {
            ahead.addAll(Arrays.asList(Disturbance.values()));
            Collections.shuffle(ahead, random);
        }
        return ahead.remove(0);
    }

    private void disturb(Disturbance disturbance) throws Exception {
        switch (disturbance) {
            case KILL_INGEST -> killAndStart();
            case KILL_IN_SNAPSHOT -> {
                loseState();
                for (int i = 0; i < 2; i++) {
                    Thread.sleep(1_000 + random.nextInt(2_500));
                    killAndStart();
                }
            }
            case KILL_BROKER -> {
                broker.kill();
                Thread.sleep(random.nextInt(3_000));
                broker.restart();
            }
            case RESTART_DATABASE -> {
                int port = database.port();
                database.close();
                Thread.sleep(random.nextInt(2_000));
                database = EmbeddedDatabase.start(
                        directory.resolve("postgresql"),
                        DatabaseOptions.defaults().withPort(port));
            }
            case WAKE_ZOMBIE -> wakeZombie();
            case DAMAGE_POSITION -> {
                kill(ingest);
                damage();
                requireRefusal(startIngest());
                loseState();
            }
            case DELETE_POSITION -> {
                kill(ingest);
                deleteTree(data().resolve("capture"));
                awaitSlotFree();
                requireRefusal(startIngest());
                loseState();
            }
        }
    }

    private void killAndStart() throws Exception {
        kill(ingest);
        ingest = startIngest();
    }

    /** As an operator would after a loss of the disk: without a position the slot is of no use. */
    private void loseState() throws Exception {
        stateWasLost = true;
        kill(ingest);
        awaitSlotFree();
        execute("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = 'crash'");
        deleteTree(data().resolve("capture"));
        ingest = startIngest();
    }

    /** A second one must be refused while the first is only asleep, and the first must go on when it wakes. */
    private void wakeZombie() throws Exception {
        signal(ingest, "STOP");
        try {
            Process second = startIngest();
            requireRefusal(second);
        } finally {
            signal(ingest, "CONT");
        }
    }

    private static void requireRefusal(Process process) throws InterruptedException {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            kill(process);
            throw new AssertionError("expected the start to be refused, found it running");
        }
        if (process.exitValue() == 0) {
            throw new AssertionError("expected the start to be refused, found exit code 0");
        }
    }

    private static void signal(Process process, String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    private void damage() throws IOException {
        try (Stream<Path> files = Files.list(data().resolve("capture"))) {
            Path current = files.filter(file -> file.getFileName().toString().startsWith("MANIFEST"))
                    .findFirst()
                    .orElseThrow();
            Files.write(current, new byte[] {1, 2, 3}, StandardOpenOption.TRUNCATE_EXISTING);
        }
    }

    private void verify() throws Exception {
        if (!ingest.isAlive()) {
            throw new AssertionError("expected the ingest to run, found it ended with " + ingest.exitValue());
        }
        long before = System.nanoTime();
        Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(500)).until(this::isComplete);
        if (!log.deadLetters().isEmpty()) {
            throw new AssertionError(
                    "expected no dead letter, found " + log.deadLetters().get(0));
        }
        System.err.printf(Locale.ROOT, "          verified after %.1f s%n", (System.nanoTime() - before) / 1e9);
    }

    /** Each payment that was committed is in the log, and its last reference of each account is the row of the database. */
    private boolean isComplete() {
        try {
            crashLog.readOn(stateWasLost);
            return crashLog.paymentCount() == writer.payments.size()
                    && crashLog.homeCountries().equals(accountRows());
        } catch (KafkaException | SQLException e) {
            return false; // not back yet
        }
    }

    private Map<String, String> accountRows() throws SQLException {
        Map<String, String> rows = new HashMap<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT account_id, home_country FROM crash.accounts")) {
            while (result.next()) {
                rows.put(result.getString(1), result.getString(2));
            }
        }
        return rows;
    }

    private Process startIngest() throws IOException {
        return IngestProcess.start(
                directory.resolve("cdc.yaml"),
                broker.bootstrapServers(),
                "crash",
                data(),
                directory.resolve("ingest.log"));
    }

    private Path data() {
        return directory.resolve("data");
    }

    private String yaml() {
        return "database: {host: " + database.host() + ", port: " + database.port()
                + ", user: postgres, password: postgres, name: " + database.database() + "}\n"
                + "slot: crash\npublication: crash\nheartbeat: 500ms\nlookups: {wait: 10m}\ntables:\n"
                + "  crash.accounts: {reference: account, account: account_id, fields: {home_country: home_country}}\n"
                + "  crash.cards: {lookup: card, account: account_id}\n"
                + "  crash.payments: {event: payment, account: {lookup: card, by: card_id}, time: at,"
                + " fields: {amount: amount}}\n";
    }

    private void execute(String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private void awaitSlotFree() {
        awaitSlots(0);
    }

    private void awaitSlots(int activeCount) {
        Awaitility.await().atMost(PATIENCE).until(() -> {
            try (Connection connection = database.connect();
                    Statement statement = connection.createStatement();
                    ResultSet result =
                            statement.executeQuery("SELECT count(*) FROM pg_replication_slots WHERE active")) {
                return result.next() && result.getInt(1) == activeCount;
            }
        });
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    private void endProcesses() {
        ingest.destroyForcibly();
        if (broker.isAlive()) {
            broker.kill();
        }
    }

    private static void deleteTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill(ingest);
        database.close();
        broker.close();
    }
}
