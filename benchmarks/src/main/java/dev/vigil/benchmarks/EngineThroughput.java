package dev.vigil.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * How fast the engine works off a log that is there already: velocity features of {@code velocity.yaml} over exact windows,
 * one scored record per event. Broker and engine share the machine; neither shares a process with this program.
 */
@Command(
        name = "engine-throughput",
        mixinStandardHelpOptions = true,
        description = "Measures how fast the scoring engine works off a log, and what that costs.")
public final class EngineThroughput implements Callable<Integer> {
    private static final long SAMPLE_MS = 50;

    @Option(names = "--events", defaultValue = "600000", description = "events in the log (default ${DEFAULT-VALUE})")
    private long events;

    @Option(names = "--partitions", defaultValue = "4", description = "of the log (default ${DEFAULT-VALUE})")
    private int partitions;

    @Option(names = "--threads", defaultValue = "2", description = "that score (default ${DEFAULT-VALUE})")
    private int threads;

    @Option(names = "--seed", defaultValue = "42", description = "of the events (default ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--engine-jvm",
            split = " ",
            defaultValue = "-Xmx1g -XX:+UseParallelGC",
            description = "options of the engine's JVM (default ${DEFAULT-VALUE})")
    private List<String> engineJvm = List.of();

    /** Progress and use at a moment. */
    private record Sample(long atNs, long scored, double engineCpuSeconds, double brokerCpuSeconds) {}

    public static void main(String[] args) {
        System.exit(new CommandLine(new EngineThroughput()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        try (Rig rig = Rig.start(partitions)) {
            rig.load(new CardStream(seed), events);
            ProcessMeter broker = rig.brokerMeter();
            double brokerBefore = broker.cpuSeconds();
            ProcessMeter engine = rig.startEngine(threads, engineJvm);
            List<Sample> samples = watch(rig, engine, broker);
            report(samples, brokerBefore, rig.appended(rig.topics().alerts()));
            engine.peakResidentMib().ifPresent(mib -> line("engine peak memory", "%d MiB", mib));
            broker.peakResidentMib().ifPresent(mib -> line("broker peak memory", "%d MiB", mib));
        }
        return 0;
    }

    /** From the first scored event to the last. */
    private List<Sample> watch(Rig rig, ProcessMeter engine, ProcessMeter broker)
            throws InterruptedException, ExecutionException {
        List<Sample> samples = new ArrayList<>();
        long scored = 0;
        while (scored < events) {
            Thread.sleep(SAMPLE_MS);
            rig.requireEngine();
            // A schema per partition goes before the scored events.
            scored = Math.max(0, rig.appended(rig.topics().scored()) - partitions);
            if (scored > 0) {
                samples.add(new Sample(System.nanoTime(), scored, engine.cpuSeconds(), broker.cpuSeconds()));
            }
        }
        return samples;
    }

    private void report(List<Sample> samples, double brokerBefore, long alerts) {
        Sample first = samples.get(0);
        Sample last = samples.get(samples.size() - 1);
        Sample half = at(samples, events / 2);
        Sample most = at(samples, events * 9 / 10);
        double millions = last.scored() / 1e6;
        line("events scored", "%d, %d alerts", last.scored(), alerts);
        line("throughput", "%.0f events/s", rate(first, last));
        line("throughput, warm", "%.0f events/s", rate(half, most));
        line("engine", "%.1f CPU s per million events, start included", last.engineCpuSeconds() / millions);
        line(
                "engine, warm",
                "%.1f CPU s per million events",
                perMillion(most.engineCpuSeconds() - half.engineCpuSeconds(), half, most));
        line("broker", "%.1f CPU s per million events", (last.brokerCpuSeconds() - brokerBefore) / millions);
        line(
                "broker, warm",
                "%.1f CPU s per million events",
                perMillion(most.brokerCpuSeconds() - half.brokerCpuSeconds(), half, most));
    }

    private static Sample at(List<Sample> samples, long scored) {
        return samples.stream()
                .filter(sample -> sample.scored() >= scored)
                .findFirst()
                .orElseThrow();
    }

    private static double rate(Sample from, Sample to) {
        return (to.scored() - from.scored()) * 1e9 / Math.max(1, to.atNs() - from.atNs());
    }

    private static double perMillion(double cpuSeconds, Sample from, Sample to) {
        return cpuSeconds * 1e6 / Math.max(1, to.scored() - from.scored());
    }

    static void line(String name, String format, Object... values) {
        System.out.printf(Locale.ROOT, "%-22s " + format + "%n", prepend(name, values));
    }

    private static Object[] prepend(String name, Object[] values) {
        Object[] all = new Object[values.length + 1];
        all[0] = name;
        System.arraycopy(values, 0, all, 1, values.length);
        return all;
    }
}
