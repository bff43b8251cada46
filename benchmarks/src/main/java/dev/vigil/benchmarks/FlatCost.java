package dev.vigil.benchmarks;

import dev.vigil.benchmarks.FlatCase.Kind;
import dev.vigil.event.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Whether an event costs the same however many others there are: of its account in the window, in the longest window that
 * a policy has, of another account beside it. Drives the scorer on RocksDB without Kafka, case by case, each in a process
 * of its own.
 */
@Command(
        name = "flat-cost",
        mixinStandardHelpOptions = true,
        description =
                "Measures what an event costs with few and with many others in the window, and compares; status 0 only"
                        + " if nothing is above its limit.")
public final class FlatCost implements Callable<Integer> {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WEEK = Duration.ofDays(7);
    private static final Duration LONG = Duration.ofDays(90);

    /** What to measure. */
    enum Part {
        WINDOW,
        MEMORY,
        HOT,
        RESTART
    }

    @Option(
            names = "--parts",
            split = ",",
            defaultValue = "window,memory,hot,restart",
            description = "what to measure (default ${DEFAULT-VALUE})")
    private List<Part> parts = List.of();

    @Option(
            names = "--window-events",
            split = ",",
            defaultValue = "10,1000,100000",
            description = "of an account in the longest window (default ${DEFAULT-VALUE})")
    private List<Integer> windowEvents = List.of();

    @Option(
            names = "--days",
            split = ",",
            defaultValue = "7,90",
            description = "that the longest window has (default ${DEFAULT-VALUE})")
    private List<Integer> days = List.of();

    @Option(
            names = "--late",
            split = ",",
            defaultValue = "0,60",
            description =
                    "seconds by which 2 %% of the events come late at most, below 3600 (default ${DEFAULT-VALUE})")
    private List<Integer> lateSeconds = List.of();

    @Option(
            names = "--steps",
            split = ",",
            defaultValue = "1,1000",
            description = "records of a step (default ${DEFAULT-VALUE})")
    private List<Integer> stepSizes = List.of();

    @Option(names = "--events", defaultValue = "100000", description = "timed in each case (default ${DEFAULT-VALUE})")
    private int events;

    @Option(
            names = "--window-total",
            defaultValue = "100000",
            description = "events of all these accounts in the longest window; others have twice as many"
                    + " (default ${DEFAULT-VALUE})")
    private int windowTotal;

    @Option(
            names = "--memory-events",
            defaultValue = "1500000",
            description = "scored before memory is compared (default ${DEFAULT-VALUE})")
    private int memoryEvents;

    @Option(
            names = "--memory-live",
            defaultValue = "200000",
            description = "events kept as objects there (default ${DEFAULT-VALUE})")
    private long memoryLive;

    @Option(names = "--restarts", defaultValue = "7", description = "of each account (default ${DEFAULT-VALUE})")
    private int restarts;

    @Option(
            names = "--limit",
            defaultValue = "2",
            description =
                    "largest p99 of an account's events, as a multiple of the smallest (default ${DEFAULT-VALUE})")
    private double limit;

    @Option(
            names = "--same",
            defaultValue = "1.2",
            description =
                    "by which memory may be larger under 90 days' policy than under an hour's, and p99 beside a hot"
                            + " account than without it (default ${DEFAULT-VALUE})")
    private double same;

    @Option(names = "--seed", defaultValue = "42", description = "of the events (default ${DEFAULT-VALUE})")
    private long seed;

    @Option(
            names = "--jvm",
            split = " ",
            defaultValue = "-Xms1g -Xmx1g -XX:+UseParallelGC",
            description = "options of each case's JVM (default ${DEFAULT-VALUE})")
    private List<String> jvm = List.of();

    private boolean isAbove;

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new FlatCost()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        for (Part part : parts) {
            switch (part) {
                case WINDOW -> windows();
                case MEMORY -> memory();
                case HOT -> hot();
                case RESTART -> restart();
            }
        }
        return isAbove ? 1 : 0;
    }

    private void windows() throws IOException, InterruptedException {
        for (int longest : days) {
            for (int late : lateSeconds) {
                for (int step : stepSizes) {
                    String of = longest + "d, " + (late == 0 ? "in order" : "2% up to " + late + " s late")
                            + ", steps of " + step;
                    List<FlatResult> results = new ArrayList<>();
                    for (int each : windowEvents) {
                        FlatCase flatCase = new FlatCase(
                                Kind.WINDOW,
                                Duration.ofDays(longest).toSeconds(),
                                each,
                                windowTotal,
                                late,
                                step,
                                0,
                                windowTotal + windowTotal / 20,
                                events,
                                10L * windowTotal,
                                seed);
                        results.add(run(flatCase, each + " in " + of));
                    }
                    compare("p99, " + of, results, FlatResult::p99Us, limit);
                }
            }
        }
    }

    private void memory() throws IOException, InterruptedException {
        for (Kind kind : List.of(Kind.EVEN, Kind.SKEWED)) {
            String of = kind == Kind.EVEN ? "accounts alike" : "few accounts busy";
            List<FlatResult> results = new ArrayList<>();
            for (Duration longest : List.of(HOUR, LONG)) {
                FlatCase flatCase = new FlatCase(
                        kind,
                        longest.toSeconds(),
                        0,
                        0,
                        60,
                        1_000,
                        0,
                        Math.max(0, memoryEvents - events),
                        Math.min(events, memoryEvents),
                        memoryLive,
                        seed);
                results.add(run(flatCase, of + ", windows up to " + longest.toHours() + " h, steps of 1000"));
            }
            // Accounts of the step are in memory whole, be they as large as they are.
            double most = kind == Kind.EVEN ? same : Double.NaN;
            grows("heap, " + of, results, FlatResult::heapMib, most);
            grows("resident memory, " + of, results, FlatResult::residentMib, most);
        }
    }

    private void hot() throws IOException, InterruptedException {
        int others = windowTotal / 2;
        for (int step : stepSizes) {
            List<FlatResult> results = new ArrayList<>();
            for (Kind kind : List.of(Kind.WITHOUT_HOT, Kind.WITH_HOT)) {
                FlatCase flatCase = new FlatCase(
                        kind, WEEK.toSeconds(), 0, 0, 60, step, windowTotal, others, others, 10L * windowTotal, seed);
                String beside = kind == Kind.WITH_HOT ? "beside an account with 80% of all" : "alone";
                results.add(run(flatCase, "others " + beside + ", steps of " + step));
            }
            grows("p99 of the others, steps of " + step, results, FlatResult::p99Us, same);
        }
    }

    private void restart() throws IOException, InterruptedException {
        for (int each : windowEvents) {
            FlatCase flatCase = new FlatCase(
                    Kind.RESTART,
                    WEEK.toSeconds(),
                    each,
                    0,
                    0,
                    1_000,
                    windowTotal,
                    0,
                    restarts,
                    10L * windowTotal,
                    seed);
            run(flatCase, "first event after a restart, " + each + " to be read back");
        }
    }

    private FlatResult run(FlatCase flatCase, String name) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                FlatCase.class.getName(),
                new String(Json.encode(flatCase), StandardCharsets.UTF_8)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String last = "";
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                last = line;
            }
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the process of '" + name + "' has failed; see its output");
        }
        FlatResult result = Json.decode(last.getBytes(StandardCharsets.UTF_8), FlatResult.class);
        report(name, result);
        return result;
    }

    private static void report(String name, FlatResult result) {
        System.out.printf(
                Locale.ROOT,
                "%-62s p50 %.1f µs, p99 %.1f µs, p99.9 %.1f µs, longest %.0f µs of %d; per event %.3f heads, %.3f blocks,"
                        + " %.3f other keys, %.0f bytes; heap %d MiB, resident %d MiB%n",
                name,
                result.p50Us(),
                result.p99Us(),
                result.p999Us(),
                result.longestUs(),
                result.count(),
                result.heads(),
                result.blocks(),
                result.otherKeys(),
                result.bytes(),
                result.heapMib(),
                result.residentMib());
    }

    private void compare(String what, List<FlatResult> results, ToDoubleFunction<FlatResult> figure, double most) {
        double smallest = results.stream().mapToDouble(figure).min().orElseThrow();
        double largest = results.stream().mapToDouble(figure).max().orElseThrow();
        judge(what, "largest %.2f times the smallest", largest / smallest, most);
    }

    /** Compares the second with the first. @param most NaN: whatever it is */
    private void grows(String what, List<FlatResult> results, ToDoubleFunction<FlatResult> figure, double most) {
        double ratio = figure.applyAsDouble(results.get(1)) / figure.applyAsDouble(results.get(0));
        judge(what, "%.2f times that of the line before", ratio, most);
    }

    private void judge(String what, String found, double ratio, double most) {
        isAbove |= ratio > most;
        String limit = Double.isNaN(most) ? "no limit" : String.format(Locale.ROOT, "limit %.2f", most);
        System.out.printf(Locale.ROOT, "= %-60s " + found + " (%s)%n", what, ratio, limit);
    }
}
