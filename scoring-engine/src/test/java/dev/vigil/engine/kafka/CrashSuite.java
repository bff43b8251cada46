package dev.vigil.engine.kafka;

import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.engine.checkpoint.Checkpoints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Disturbs engine processes and their broker under traffic in every way that {@link Disturbance} knows, in random order
 * and at random moments, and after each one compares what readers keep with what an undisturbed run gives, byte for byte,
 * and the engines' counts with its counts. Started by {@code benchmarks/bin/crash-suite}; ends with one line of figures
 * and status 0 only if all holds.
 *
 * <p>Every disturbance comes at least once, however short the time. Now and then all begins anew with an empty log, so that
 * a run may last for hours. The seed gives the same order and traffic again, though not the same moments.
 */
final class CrashSuite implements AutoCloseable {
    private static final Duration ROUND = Duration.ofMinutes(10);
    private static final String FAILED = "FAILED";
    private static final List<String> ROLES = List.of("scored", "alerts", "late", "dead-letters", "summaries");
    private static final int LINE_LENGTH_MAX = 400;

    private final long seed;
    private final double minutes;
    private final Random random;
    private final Path directory;
    private final long startNs = System.nanoTime();
    private final Map<Disturbance, Integer> counts = new EnumMap<>(Disturbance.class);
    private final List<Disturbance> kinds = new ArrayList<>(Arrays.asList(Disturbance.values()));
    private final List<Disturbance> ahead = new ArrayList<>();
    private final EmbeddedKafkaProcess broker;
    private volatile @Nullable CrashRig rig;
    private volatile boolean ending;
    private long recordCount;
    private long keptCount;
    private long repeatCount;
    private long correctionCount;
    /** Outputs that were kept, by the role of their topic. */
    private final Map<String, Long> keptCounts = new TreeMap<>();

    private CrashSuite(long seed, double minutes, Path directory) {
        this.seed = seed;
        this.minutes = minutes;
        this.random = new Random(seed);
        this.directory = directory;
        this.broker = EmbeddedKafkaProcess.start(directory.resolve("broker"));
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = options(args);
        long seed = options.containsKey("--seed")
                ? number(options, "--seed").longValue()
                : new SecureRandom().nextInt(Integer.MAX_VALUE);
        double minutes = options.containsKey("--minutes") ? number(options, "--minutes") : 2;
        System.err.printf(Locale.ROOT, "crash-suite --target engine --minutes %s --seed %d%n", minutes, seed);
        Path directory = Files.createTempDirectory("vigil-crash-suite");
        String result;
        try (CrashSuite suite = new CrashSuite(seed, minutes, directory)) {
            Runtime.getRuntime().addShutdownHook(new Thread(suite::endProcesses, "crash-suite-end"));
            result = suite.run();
            suite.closeRig();
            System.out.println(suite.figures(result));
        } catch (IOException | RuntimeException e) {
            e.printStackTrace();
            result = FAILED;
        }
        boolean same = !result.startsWith(FAILED);
        if (same) {
            Checkpoints.deleteTree(directory);
        }
        System.exit(same ? 0 : 1);
    }

    /** When the suite ends before its time: leaves no process behind, and nothing mounted. */
    private void endProcesses() {
        ending = true;
        CrashRig running = rig;
        if (running != null) {
            running.endProcesses();
        }
        if (broker.isAlive()) {
            broker.kill();
        }
    }

    private static Map<String, String> options(String[] args) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!List.of("--target", "--seed", "--minutes").contains(args[i]) || i + 1 == args.length) {
                throw usage("expected an option and its value, found '" + args[i] + "'");
            }
            options.put(args[i], args[i + 1]);
        }
        if (!options.getOrDefault("--target", "engine").equals("engine")) {
            throw usage("--target: expected engine, found '" + options.get("--target") + "'");
        }
        return options;
    }

    private static Double number(Map<String, String> options, String name) {
        try {
            return Double.valueOf(options.get(name));
        } catch (NumberFormatException e) {
            throw usage(name + ": expected a number, found '" + options.get(name) + "'");
        }
    }

    private static IllegalArgumentException usage(String problem) {
        System.err.println("crash-suite: " + problem);
        System.err.println("usage: crash-suite [--target engine] [--minutes M] [--seed S]");
        System.exit(2);
        return new IllegalArgumentException(problem);
    }

    private String run() throws Exception {
        Disturbance last = null;
        try {
            Path roundDirectory = null;
            for (int round = 1; !isDone(); round++) {
                if (roundDirectory != null) {
                    Checkpoints.deleteTree(roundDirectory);
                }
                roundDirectory = directory.resolve("round-" + round);
                rig = CrashRig.start(broker, roundDirectory, random);
                if (rig.smallDisk().isEmpty() && kinds.remove(Disturbance.FILL_DISK)) {
                    System.err.println(
                            "crash-suite: fill-disk is skipped: this user may not mount a small file system");
                }
                long roundStartNs = System.nanoTime();
                while (!isDone() && System.nanoTime() - roundStartNs < ROUND.toNanos()) {
                    last = next();
                    System.err.printf(Locale.ROOT, "%6.1f s  %s%n", seconds(), last.label());
                    rig.disturb(last);
                    counts.merge(last, 1, Integer::sum);
                }
                rig.deleteTopics();
                closeRig();
            }
            requireTested();
            return "same as undisturbed";
        } catch (AssertionError | Exception e) {
            if (!ending) {
                e.printStackTrace();
                keepEvidence();
            }
            return FAILED + " after " + (last == null ? "the start" : last.label()) + ": " + firstLine(e) + "; see "
                    + directory;
        }
    }

    private void keepEvidence() throws IOException {
        if (rig != null) {
            rig.keepEvidence();
        }
    }

    private static String firstLine(Throwable e) {
        String line = String.valueOf(e).lines().findFirst().orElse("");
        return line.substring(0, Math.min(LINE_LENGTH_MAX, line.length()));
    }

    private double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }

    private boolean isDone() {
        return seconds() > minutes * 60 && counts.size() == kinds.size();
    }

    /** All kinds in random order, again and again. */
    private Disturbance next() {
        if (ahead.isEmpty()) {
            ahead.addAll(kinds);
            Collections.shuffle(ahead, random);
        }
        return ahead.remove(0);
    }

    private void requireTested() {
        if (correctionCount == 0
                || repeatCount == 0
                || ROLES.stream().anyMatch(role -> keptCounts.getOrDefault(role, 0L) == 0)) {
            throw new AssertionError("this tested nothing: expected outputs in every topic, corrections and repeats");
        }
    }

    private String figures(String result) {
        String happened = counts.entrySet().stream()
                .map(entry -> entry.getKey().label() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        String skipped = kinds.contains(Disturbance.FILL_DISK) ? "" : " (fill-disk skipped)";
        return String.format(
                Locale.ROOT,
                "seed %d, %.1f min: %d records; %d outputs: %s, of which %d corrections; %d repeats; %s%s; %s",
                seed,
                seconds() / 60,
                recordCount,
                keptCount,
                keptCounts.entrySet().stream()
                        .map(entry -> entry.getValue() + " " + entry.getKey())
                        .collect(Collectors.joining(", ")),
                correctionCount,
                repeatCount,
                happened,
                skipped,
                result);
    }

    private void closeRig() throws IOException {
        CrashRig closing = rig;
        rig = null;
        if (closing != null) {
            OutputComparison comparison = closing.check().comparison();
            recordCount += closing.check().recordCount();
            keptCount += comparison.keptCount();
            repeatCount += comparison.repeatCount();
            correctionCount += comparison.correctionCount();
            ROLES.forEach(role -> keptCounts.merge(role, comparison.keptCount(role), Long::sum));
            closing.close();
        }
    }

    @Override
    public void close() throws IOException {
        try {
            closeRig();
        } finally {
            broker.close();
        }
    }
}
