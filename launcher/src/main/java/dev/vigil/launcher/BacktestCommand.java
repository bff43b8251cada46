package dev.vigil.launcher;

import dev.vigil.backtest.BacktestReport;
import dev.vigil.backtest.Progress;
import dev.vigil.backtest.SourceSpec;
import dev.vigil.backtest.service.Backtest;
import dev.vigil.backtest.service.BacktestConfig;
import dev.vigil.backtest.service.BacktestResult;
import dev.vigil.backtest.service.ScoredFormat;
import dev.vigil.service.status.RecordCounts;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code vigil backtest}: history through a policy. */
@Command(
        name = "backtest",
        mixinStandardHelpOptions = true,
        description = "Score history with a policy, as it would have been scored live, and report what came of it.")
final class BacktestCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--policy", required = true, paramLabel = "FILE", description = "Policy under test.")
    private Path policy;

    @Option(
            names = "--events",
            required = true,
            paramLabel = "SOURCE",
            description = "file:EVENTS.csv[.gz], kafka:TOPIC or iceberg:scored_events.")
    private String events;

    @Option(names = "--out", required = true, paramLabel = "DIR", description = "Where the results go.")
    private Path out;

    @Option(names = "--baseline", paramLabel = "FILE", description = "Policy to compare it with.")
    private @Nullable Path baseline;

    @Option(names = "--labels", paramLabel = "FILE", description = "CSV of event ids and fraud labels.")
    private @Nullable Path labels;

    @Option(
            names = "--mapping",
            paramLabel = "FILE",
            description = "How columns become events (default: NAME.mapping.yaml beside the policy).")
    private @Nullable Path mapping;

    @Option(
            names = "--scored",
            paramLabel = "parquet|csv",
            defaultValue = "parquet",
            description = "Form of the scored events (default: ${DEFAULT-VALUE}).")
    private String scored;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Where to find Kafka and history (default: as for query).")
    private @Nullable Path config;

    @Override
    public Integer call() {
        Logging.quiet();
        BacktestResult result = Backtest.run(backtest(), progress());
        print(result);
        if (!result.isBalanced()) {
            throw new CommandFailure("the counts do not add up to the records read");
        }
        return 0;
    }

    private BacktestConfig backtest() {
        try {
            SourceSpec source = SourceSpec.parse(events);
            return withSource(new BacktestConfig(
                    policy, baseline, source, mapping, labels, out, ScoredFormat.parse(scored), null, null));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()));
        }
    }

    /** Names the deployment's broker or history where the events come from there. */
    private BacktestConfig withSource(BacktestConfig backtest) {
        if (backtest.events() instanceof SourceSpec.CsvFile) {
            return backtest;
        }
        CommandConfig found = CommandConfig.load(config);
        if (backtest.events() instanceof SourceSpec.KafkaTopic) {
            found.requireBroker();
        }
        VigilConfig loaded = found.values();
        Path history = loaded.dataDirectory().resolve(ServiceName.LAKEHOUSE_SINK.label());
        return backtest.withKafka(loaded.kafka()).withHistory(new BacktestConfig.History(loaded.lakehouse(), history));
    }

    /** One line that is written over on a terminal; nothing in a pipe. */
    private Progress progress() {
        if (System.console() == null) {
            return Progress.NONE;
        }
        PrintWriter err = spec.commandLine().getErr();
        return (records, done) -> {
            err.printf(Locale.ROOT, "\r  %,d records, %.0f %%", records, done * 100);
            err.flush();
        };
    }

    private void print(BacktestResult result) {
        if (System.console() != null) {
            spec.commandLine().getErr().println();
        }
        PrintWriter console = spec.commandLine().getOut();
        describe(console, result.report().result());
        BacktestReport.PolicyResult before = result.report().baseline();
        if (before != null) {
            describe(console, before);
        }
        result.report().notes().forEach(note -> console.println("  " + note));
        result.files().forEach(file -> console.println("  " + file));
        console.flush();
    }

    private static void describe(PrintWriter console, BacktestReport.PolicyResult result) {
        RecordCounts counts = result.counts();
        console.printf(
                Locale.ROOT,
                "%s version %d: %,d events scored, %,d duplicate, %,d late, %,d dead-lettered%n",
                result.policy(),
                result.version(),
                counts.scored(),
                counts.duplicate(),
                counts.late(),
                counts.deadLettered());
        console.printf(
                Locale.ROOT,
                "  %,d alerts; precision %s, recall %s%n",
                result.alerts().events(),
                share(result.alerts().precision()),
                share(result.alerts().recall()));
    }

    private static String share(@Nullable Double share) {
        return share == null ? "not known" : String.format(Locale.ROOT, "%.4f", share);
    }
}
