package dev.vigil.alerting.service;

import dev.vigil.embedded.EmbeddedKafkaProcess;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Disturbs two instances of alerting and their broker under traffic in every way that {@link Disturbance} knows, in random order and at
 * random moments, and after each compares what the receiver and the topic of reports have with what an undisturbed instance
 * gives. Started by {@code benchmarks/bin/crash-suite --target alerting}; ends with one line of figures and status 0 only if all
 * holds. The seed gives the same order and traffic again, though not the same moments.
 */
final class CrashSuite {
    private final long seed;
    private final double minutes;
    private final Random random;
    private final long startNs = System.nanoTime();
    private final Map<Disturbance, Integer> counts = new EnumMap<>(Disturbance.class);
    private final List<Disturbance> ahead = new ArrayList<>();

    private CrashSuite(long seed, double minutes) {
        this.seed = seed;
        this.minutes = minutes;
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws Exception {
        long seed = new SecureRandom().nextInt(Integer.MAX_VALUE);
        double minutes = 1;
        for (int i = 0; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : "";
            try {
                switch (args[i]) {
                    case "--target" -> {
                        if (!value.equals("alerting")) {
                            throw new IllegalArgumentException("expected alerting, found '" + value + "'");
                        }
                    }
                    case "--seed" -> seed = Long.parseLong(value);
                    case "--minutes" -> minutes = Double.parseDouble(value);
                    default -> throw new IllegalArgumentException("no such option");
                }
            } catch (IllegalArgumentException e) {
                System.err.println("crash-suite: " + args[i] + ": " + e.getMessage());
                System.err.println("usage: crash-suite --target alerting [--minutes M] [--seed S]");
                System.exit(2);
            }
        }
        System.err.printf(Locale.ROOT, "crash-suite --target alerting --minutes %s --seed %d%n", minutes, seed);
        Path directory = Files.createTempDirectory("vigil-crash-suite");
        boolean same = new CrashSuite(seed, minutes).run(directory);
        if (same) {
            deleteTree(directory);
        }
        System.exit(same ? 0 : 1);
    }

    private boolean run(Path directory) throws Exception {
        Disturbance last = null;
        try (EmbeddedKafkaProcess broker = EmbeddedKafkaProcess.start(directory.resolve("broker"));
                CrashRig rig = CrashRig.start(broker, directory, random)) {
            Thread ending = new Thread(rig::endProcesses, "crash-suite-end");
            Runtime.getRuntime().addShutdownHook(ending);
            try {
                while (!isDone()) {
                    last = next();
                    System.err.printf(Locale.ROOT, "%6.1f s  %s%n", seconds(), last.label());
                    rig.disturb(last);
                    counts.merge(last, 1, Integer::sum);
                }
                rig.requireTested();
                System.out.println(figures(rig.figures(), "same as undisturbed"));
                return true;
            } catch (AssertionError | Exception e) {
                e.printStackTrace();
                System.out.println(figures(
                        rig.figures(),
                        "FAILED after " + label(last) + ": "
                                + String.valueOf(e).lines().findFirst().orElse("") + "; see " + directory));
                return false;
            }
        }
    }

    private static String label(@Nullable Disturbance disturbance) {
        return disturbance == null ? "the start" : disturbance.label();
    }

    private double seconds() {
        return (System.nanoTime() - startNs) / 1e9;
    }

    /** Every disturbance comes at least once, however short the time. */
    private boolean isDone() {
        return seconds() > minutes * 60 && counts.size() == Disturbance.values().length;
    }

    /** All kinds in random order, again and again. */
    private Disturbance next() {
        if (ahead.isEmpty()) {
            ahead.addAll(Arrays.asList(Disturbance.values()));
            Collections.shuffle(ahead, random);
        }
        return ahead.remove(0);
    }

    private String figures(String seen, String result) {
        String happened = counts.entrySet().stream()
                .map(entry -> entry.getKey().label() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT, "seed %d, %.1f min: %s; %s; %s", seed, seconds() / 60, seen, happened, result);
    }

    static void deleteTree(Path directory) throws IOException {
        if (!Files.exists(directory)) {
            return;
        }
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException problem) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
