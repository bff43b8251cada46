package dev.vigil.engine.kafka;

import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.engine.checkpoint.Checkpoints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Kills engine processes, and now and then the broker's, at random moments under traffic, takes the local state away, and
 * compares what readers keep with what an undisturbed run gives, byte for byte. Started by {@code
 * benchmarks/bin/crash-suite}; ends with one line of figures and status 0 only if all holds.
 */
final class CrashSuite {
    private final Random random;
    private final long deadlineMs;
    private final Path directory;
    private final Path data;
    private int engineKills;
    private int brokerKills;
    private int wipes;

    private CrashSuite(long seed, double minutes, Path directory) {
        this.random = new Random(seed);
        this.deadlineMs = System.currentTimeMillis() + (long) (minutes * 60_000);
        this.directory = directory;
        this.data = directory.resolve("engine");
    }

    public static void main(String[] args) throws Exception {
        Map<String, String> options = options(args);
        long seed = Long.parseLong(options.getOrDefault("--seed", "1"));
        double minutes = Double.parseDouble(options.getOrDefault("--minutes", "2"));
        Path directory = Files.createTempDirectory("vigil-crash-suite");
        CrashSuite suite = new CrashSuite(seed, minutes, directory);
        boolean same;
        try (EmbeddedKafkaProcess broker = EmbeddedKafkaProcess.start(directory.resolve("broker"));
                Deployment deployment = Deployment.on(broker.bootstrapServers())) {
            suite.disturb(broker, deployment, seed);
            same = suite.finishAndCompare(deployment);
            System.out.printf(Locale.ROOT, "seed %d, %.1f min: %s%n", seed, minutes, suite.figures(deployment, same));
        }
        if (same) {
            Checkpoints.deleteTree(directory);
        }
        System.exit(same ? 0 : 1);
    }

    private static Map<String, String> options(String[] args) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!List.of("--target", "--seed", "--minutes").contains(args[i]) || i + 1 == args.length) {
                usage();
            }
            options.put(args[i], args[i + 1]);
        }
        if (!options.getOrDefault("--target", "engine").equals("engine")) {
            usage();
        }
        return options;
    }

    private static void usage() {
        System.err.println("usage: crash-suite [--target engine] [--minutes M] [--seed S]");
        System.exit(2);
    }

    private void disturb(EmbeddedKafkaProcess broker, Deployment deployment, long seed) throws Exception {
        deployment.activate(TestPolicy.updating(1, 600));
        try (Pacer pacer = new Pacer(deployment, new TestTraffic(seed))) {
            int version = 1;
            while (System.currentTimeMillis() < deadlineMs) {
                try (EngineProcess engine = EngineProcess.start(deployment.kafka(), data)) {
                    Thread.sleep(2_000 + random.nextInt(10_000));
                    if (random.nextInt(4) == 0) {
                        broker.kill();
                        brokerKills++;
                        Thread.sleep(random.nextInt(2_000));
                        broker.restart();
                        Thread.sleep(random.nextInt(5_000));
                    }
                    if (random.nextInt(4) == 0) {
                        deployment.activate(TestPolicy.updating(++version, 200 + random.nextInt(600)));
                    }
                    engine.kill();
                    engineKills++;
                }
                maybeWipe();
            }
            System.err.printf("%d records sent, %d engine kills%n", pacer.sentCount(), engineKills);
        }
    }

    /** Takes the local state of a partition away, or damages it; a checkpoint or the log's start has to do. */
    private void maybeWipe() throws Exception {
        Path state = data.resolve("state").resolve(Integer.toString(random.nextInt(Deployment.PARTITIONS)));
        if (random.nextInt(4) > 0 || !Files.isDirectory(state)) {
            return;
        }
        wipes++;
        if (random.nextBoolean()) {
            Checkpoints.deleteTree(state);
            return;
        }
        try (Stream<Path> files = Files.list(state)) {
            for (Path file : files.filter(f -> f.getFileName().toString().startsWith("MANIFEST"))
                    .toList()) {
                Files.writeString(file, "damaged");
            }
        }
    }

    private boolean finishAndCompare(Deployment deployment) {
        try (ScoringEngine engine = deployment.engine(data)) {
            engine.start();
            deployment.awaitScored(engine);
            if (!engine.status().counts().addUp()) {
                return false;
            }
        }
        return Output.withoutRepeats(deployment.outputs())
                .equals(Output.withoutRepeats(deployment.offline().outputs()));
    }

    private String figures(Deployment deployment, boolean same) {
        List<Output> outputs = deployment.outputs();
        int kept = Output.withoutRepeats(outputs).values().stream()
                .mapToInt(List::size)
                .sum();
        return String.format(
                Locale.ROOT,
                "%d records, %d outputs and %d repeats; killed: engine %d times, broker %d times, state %d times; %s",
                deployment.log().size(),
                kept,
                outputs.size() - kept,
                engineKills,
                brokerKills,
                wipes,
                same ? "same as undisturbed" : "DIFFERENT from undisturbed, see " + directory);
    }
}
