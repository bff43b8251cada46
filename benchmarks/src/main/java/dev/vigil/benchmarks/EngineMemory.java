package dev.vigil.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Whether an engine's resident memory stays where it is under steady traffic, checkpoints and all. The heap is touched as a
 * whole at the start, so that what grows is outside of it: RocksDB, threads, buffers, code. Told is the middle of the last
 * sixth of the samples against the middle of the first sixth after the unmeasured time.
 */
@Command(
        name = "engine-memory",
        mixinStandardHelpOptions = true,
        description =
                "Compares an engine's resident memory before and after steady traffic; status 0 only if it stays.")
public final class EngineMemory implements Callable<Integer> {
    private static final int SAMPLES_PER_MINUTE = 6;

    @Option(names = "--minutes", defaultValue = "60", description = "that are measured (default ${DEFAULT-VALUE})")
    private int minutes;

    @Option(
            names = "--unmeasured",
            defaultValue = "10",
            description = "minutes before, for code and caches to find their size (default ${DEFAULT-VALUE})")
    private int unmeasuredMinutes;

    @Option(names = "--rate", defaultValue = "2000", description = "events per second (default ${DEFAULT-VALUE})")
    private int rate;

    @Option(
            names = "--history",
            defaultValue = "5000000",
            description = "events before, for the caches of the state to be full (default ${DEFAULT-VALUE})")
    private long history;

    @Option(names = "--partitions", defaultValue = "4", description = "of the log (default ${DEFAULT-VALUE})")
    private int partitions;

    @Option(names = "--threads", defaultValue = "2", description = "that score (default ${DEFAULT-VALUE})")
    private int threads;

    @Option(names = "--limit-mib", defaultValue = "32", description = "of growth (default ${DEFAULT-VALUE})")
    private long limitMib;

    @Option(names = "--seed", defaultValue = "42", description = "of the events (default ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--engine-jvm",
            split = " ",
            defaultValue = "-Xms512m -Xmx512m -XX:+AlwaysPreTouch -XX:+UseG1GC -XX:MaxGCPauseMillis=20",
            description = "options of the engine's JVM (default ${DEFAULT-VALUE})")
    private List<String> engineJvm = List.of();

    public static void main(String[] args) {
        System.exit(new CommandLine(new EngineMemory()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<Long> samples = new ArrayList<>();
        long scored;
        try (Rig rig = Rig.start(partitions)) {
            CardStream stream = new CardStream(seed);
            rig.load(stream, history);
            ProcessMeter engine = rig.startEngine(threads, engineJvm);
            try (SteadyTraffic traffic = SteadyTraffic.start(rig, stream, rate)) {
                for (int i = 1; i <= (unmeasuredMinutes + minutes) * SAMPLES_PER_MINUTE; i++) {
                    Thread.sleep(Duration.ofMinutes(1).toMillis() / SAMPLES_PER_MINUTE);
                    rig.requireEngine();
                    OptionalLong mib = engine.residentMib();
                    if (mib.isEmpty()) {
                        System.err.println("engine-memory: this system does not tell a process's resident memory");
                        return 1;
                    }
                    boolean measured = i > unmeasuredMinutes * SAMPLES_PER_MINUTE;
                    if (measured) {
                        samples.add(mib.getAsLong());
                    }
                    if (i % (5 * SAMPLES_PER_MINUTE) == 0) {
                        EngineThroughput.line(
                                "resident memory",
                                "%d MiB after %d minutes%s",
                                mib.getAsLong(),
                                i / SAMPLES_PER_MINUTE,
                                measured ? "" : ", unmeasured");
                    }
                }
            }
            scored = rig.appended(rig.topics().scored());
        }
        int sixth = Math.max(1, samples.size() / 6);
        long before = middle(samples.subList(0, sixth));
        long after = middle(samples.subList(samples.size() - sixth, samples.size()));
        EngineThroughput.line(
                "growth",
                "%d MiB in %d minutes, from %d MiB; %d events scored (limit %d MiB)",
                after - before,
                minutes,
                before,
                scored,
                limitMib);
        return after - before <= limitMib ? 0 : 1;
    }

    private static long middle(List<Long> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
