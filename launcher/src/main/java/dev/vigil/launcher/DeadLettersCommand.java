package dev.vigil.launcher;

import dev.vigil.config.NearestName;
import dev.vigil.config.OneLine;
import dev.vigil.dashboard.deadletter.DeadLetters;
import dev.vigil.dashboard.deadletter.LetterFilter;
import dev.vigil.dashboard.deadletter.LetterPage;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.LetterSummary;
import dev.vigil.dashboard.deadletter.LetterView;
import dev.vigil.dashboard.deadletter.StoredLetter;
import dev.vigil.dashboard.kafka.KafkaDeadLetters;
import dev.vigil.event.DeadLetter;
import dev.vigil.event.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vigil dead-letters}: what could not be used, why, and putting it back once the reason is gone. */
@Command(
        name = "dead-letters",
        mixinStandardHelpOptions = true,
        description = "List records that could not be used, show one, put them back.",
        subcommands = {
            DeadLettersCommand.ListLetters.class,
            DeadLettersCommand.Show.class,
            DeadLettersRetryCommand.class
        })
final class DeadLettersCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return 2;
    }

    /** Options that say which letters are meant. */
    static final class Which {
        @Option(names = "--reason", paramLabel = "REASON", description = "Set aside for this reason, as in bad_amount.")
        private @Nullable String reason;

        @Option(names = "--stage", paramLabel = "STAGE", description = "Set aside by this stage, as in scoring-engine.")
        private @Nullable String stage;

        @Option(names = "--from", paramLabel = "TIME", description = "Set aside at or after this, RFC 3339.")
        private @Nullable String from;

        @Option(names = "--to", paramLabel = "TIME", description = "Set aside before this, RFC 3339.")
        private @Nullable String to;

        LetterFilter filter(CommandSpec spec) {
            if (reason != null && !DeadLetter.Reason.codes().contains(reason)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--reason: unknown reason '" + reason + "', "
                                + NearestName.of(reason, DeadLetter.Reason.codes())
                                        .map(nearest -> "did you mean '" + nearest + "'?")
                                        .orElse("expected one of " + String.join(", ", DeadLetter.Reason.codes())));
            }
            return new LetterFilter(
                    reason,
                    stage,
                    TimeOption.ms(spec, "--from", from, Long.MIN_VALUE),
                    TimeOption.ms(spec, "--to", to, Long.MAX_VALUE));
        }
    }

    @Command(name = "list", mixinStandardHelpOptions = true, description = "List dead letters, newest first.")
    static final class ListLetters implements Callable<Integer> {
        private static final int MOST = 1_000_000;
        private static final int PAGE = 500;

        @Spec
        private CommandSpec spec;

        @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
        private @Nullable Path config;

        @ArgGroup(exclusive = false)
        private Which which = new Which();

        @Option(
                names = "--limit",
                paramLabel = "N",
                defaultValue = "50",
                description = "Most to list (default: ${DEFAULT-VALUE}).")
        private int limit;

        @Option(
                names = "--format",
                paramLabel = "table|json",
                defaultValue = "table",
                description = "Default: ${DEFAULT-VALUE}.")
        private String format;

        @Override
        public Integer call() {
            Logging.quiet();
            boolean isTable = isTable();
            if (limit < 1 || limit > MOST) {
                throw new ParameterException(
                        spec.commandLine(), "--limit: expected an integer from 1 to " + MOST + ", found " + limit);
            }
            LetterFilter filter = which.filter(spec);
            DeadLetters deadLetters = connect(config);
            List<LetterSummary> letters = new ArrayList<>();
            String next = null;
            do {
                LetterPage page = deadLetters.list(filter, Math.min(PAGE, limit - letters.size()), next);
                letters.addAll(page.letters());
                next = page.next();
            } while (next != null && letters.size() < limit);
            PrintWriter out = spec.commandLine().getOut();
            if (isTable) {
                out.print(letters.isEmpty() ? "no dead letters\n" : LetterText.table(letters));
                if (next != null) {
                    out.println("there are more; --limit lists more, --from and --to others");
                }
            } else {
                out.println(
                        letters.stream().map(DeadLettersCommand::json).collect(Collectors.joining(",\n ", "[", "]")));
            }
            out.flush();
            return 0;
        }

        private boolean isTable() {
            return switch (format) {
                case "table" -> true;
                case "json" -> false;
                default ->
                    throw new ParameterException(
                            spec.commandLine(), "--format: expected table or json, found " + format);
            };
        }
    }

    @Command(
            name = "show",
            mixinStandardHelpOptions = true,
            description = "Print everything known of a dead letter, card numbers masked.")
    static final class Show implements Callable<Integer> {
        @Spec
        private CommandSpec spec;

        @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
        private @Nullable Path config;

        @Option(names = "--raw", description = "Write the value's bytes as they came, unmasked, and nothing else.")
        private boolean raw;

        @Option(names = "--out", paramLabel = "FILE", description = "With --raw: where to (default: standard output).")
        private @Nullable Path out;

        @Parameters(paramLabel = "POSITION", description = "As 'vigil dead-letters list' prints it.")
        private String position;

        @Override
        public Integer call() {
            Logging.quiet();
            if (out != null && !raw) {
                throw new ParameterException(spec.commandLine(), "--out: expected --raw beside it");
            }
            LetterPosition wanted = position(spec, position);
            DeadLetters deadLetters = connect(config);
            StoredLetter letter = deadLetters
                    .find(wanted)
                    .orElseThrow(() -> new CommandFailure("there is no dead letter at " + wanted));
            if (raw) {
                writeRaw(letter.value());
                return 0;
            }
            PrintWriter console = spec.commandLine().getOut();
            console.print(LetterText.view(LetterView.of(deadLetters.summary(letter), letter)));
            console.flush();
            return 0;
        }

        private void writeRaw(byte @Nullable [] value) {
            byte[] bytes = value == null ? new byte[0] : value;
            try {
                if (out == null) {
                    OutputStream stdout = new BufferedOutputStream(System.out);
                    stdout.write(bytes);
                    stdout.flush();
                } else {
                    Files.write(out, bytes);
                }
            } catch (IOException e) {
                throw new CommandFailure("cannot write into " + (out == null ? "standard output" : out));
            }
        }
    }

    static LetterPosition position(CommandSpec spec, String text) {
        try {
            return LetterPosition.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), OneLine.of("POSITION: " + e.getMessage()));
        }
    }

    static DeadLetters connect(@Nullable Path config) {
        return new KafkaDeadLetters(
                CommandConfig.load(config).requireBroker().values().kafka());
    }

    private static String json(Object value) {
        try {
            return Json.mapper().writeValueAsString(value);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
