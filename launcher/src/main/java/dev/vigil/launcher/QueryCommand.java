package dev.vigil.launcher;

import dev.vigil.event.EventTimes;
import dev.vigil.lakehouse.query.HistoryQuery;
import dev.vigil.lakehouse.query.QueryException;
import dev.vigil.lakehouse.query.QueryLimits;
import dev.vigil.lakehouse.query.QueryResult;
import dev.vigil.lakehouse.query.ResultFormat;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vigil query}: SQL over history, during and after a run. */
@Command(
        name = "query",
        mixinStandardHelpOptions = true,
        description = "Ask history: tables scored_events, alerts, deliveries, late_events, summaries.")
final class QueryCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
    private @Nullable Path config;

    @Option(names = "--as-of", paramLabel = "TIME", description = "History as it stood then, RFC 3339.")
    private @Nullable String asOf;

    @Option(
            names = "--format",
            paramLabel = "table|csv|json",
            defaultValue = "table",
            description = "Default: ${DEFAULT-VALUE}.")
    private String format;

    @Option(
            names = "--max-rows",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Most rows to print (default: ${DEFAULT-VALUE}).")
    private int maxRows;

    @Parameters(paramLabel = "SQL")
    private String sql;

    @Override
    public Integer call() {
        Logging.quiet();
        ResultFormat resultFormat = resultFormat();
        Instant instant = asOf == null ? null : EventTimes.toInstant(TimeOption.us(spec, "--as-of", asOf));
        VigilConfig loaded = CommandConfig.load(config).values();
        Path directory = loaded.dataDirectory().resolve(ServiceName.LAKEHOUSE_SINK.label());
        try (HistoryQuery history = HistoryQuery.open(loaded.lakehouse(), directory)) {
            QueryResult result =
                    history.run(sql, instant, QueryLimits.defaults().withMaxRows(maxRows));
            PrintWriter out = spec.commandLine().getOut();
            out.print(resultFormat.write(result));
            out.flush();
            return 0;
        } catch (QueryException e) {
            throw new CommandFailure(String.valueOf(e.getMessage()));
        }
    }

    private ResultFormat resultFormat() {
        try {
            return ResultFormat.parse(format);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--format: " + e.getMessage());
        }
    }
}
