package dev.vigil.launcher;

import dev.vigil.engine.kafka.LogVerifier;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code vigil verify}: scores the log again and compares with what was decided live. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = "Score the log again and compare, byte for byte, with what was decided live.")
final class VerifyCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
    private @Nullable Path config;

    @Option(names = "--from", paramLabel = "TIME", description = "Events ingested at or after this (default: all).")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "TIME", description = "Events ingested before this (default: all).")
    private @Nullable String to;

    @Override
    public Integer call() {
        Logging.quiet();
        long fromMs = TimeOption.ms(spec, "--from", from, Long.MIN_VALUE);
        long toMs = TimeOption.ms(spec, "--to", to, Long.MAX_VALUE);
        VigilConfig loaded = CommandConfig.load(config).requireBroker().values();
        LogVerifier.Result result =
                new LogVerifier(loaded.kafka(), fromMs, toMs, loaded.scoring().firstPolicy()).verify();
        spec.commandLine()
                .getOut()
                .printf(
                        "%d scored again, %d results of windows told again, %d mismatches%n",
                        result.compared(), result.comparedSummaries(), result.mismatches());
        if (result.mismatches() > 0) {
            throw new CommandFailure(result.differing() + " differ, " + result.missing() + " are missing and "
                    + result.invented() + " should not be there; first: " + result.firstMismatch());
        }
        return 0;
    }
}
