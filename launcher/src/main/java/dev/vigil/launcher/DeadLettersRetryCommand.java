package dev.vigil.launcher;

import dev.vigil.config.OneLine;
import dev.vigil.dashboard.deadletter.DeadLetters;
import dev.vigil.dashboard.deadletter.LetterFilter;
import dev.vigil.dashboard.deadletter.LetterPage;
import dev.vigil.dashboard.deadletter.LetterPosition;
import dev.vigil.dashboard.deadletter.LetterSummary;
import dev.vigil.dashboard.deadletter.RetryOutcome;
import java.io.Console;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code vigil dead-letters retry}: puts refused records back where they came from. */
@Command(
        name = "retry",
        mixinStandardHelpOptions = true,
        description = {
            "Put records back where they came from: the named ones, or all that the options mean and that were not put back"
                    + " before.",
            "A record keeps its identity, so that putting it back twice counts once."
        })
final class DeadLettersRetryCommand implements Callable<Integer> {
    private static final int PAGE = 500;
    /** So few are told one by one. */
    private static final int TOLD = 20;

    @Spec
    private CommandSpec spec;

    @Option(names = "--config", paramLabel = "FILE", description = CommandConfig.DESCRIPTION)
    private @Nullable Path config;

    @ArgGroup(exclusive = false)
    private DeadLettersCommand.@Nullable Which which;

    @Option(names = "--dry-run", description = "Only say what would be put back.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Parameters(paramLabel = "POSITION", arity = "0..*", description = "As 'vigil dead-letters list' prints it.")
    private List<String> positions = new ArrayList<>();

    @Override
    public Integer call() {
        Logging.quiet();
        if (positions.isEmpty() == (which == null)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "expected either positions, or options such as --reason that say which letters are meant");
        }
        LetterFilter filter = which == null ? LetterFilter.ALL : which.filter(spec);
        SortedSet<LetterPosition> named = new TreeSet<>();
        positions.forEach(position -> named.add(DeadLettersCommand.position(spec, position)));
        DeadLetters letters = DeadLettersCommand.connect(config);
        SortedSet<LetterPosition> wanted = which == null ? named : matching(letters, filter);
        if (dryRun) {
            say(wanted.size() + " would be put back");
            wanted.forEach(position -> say(position.toString()));
            return 0;
        }
        if (wanted.size() > 1 && !yes && !isConfirmed(wanted.size())) {
            say("none was put back");
            return 0;
        }
        return retry(letters, wanted);
    }

    /** Those that can be put back and were not yet. */
    private SortedSet<LetterPosition> matching(DeadLetters letters, LetterFilter filter) {
        SortedSet<LetterPosition> matching = new TreeSet<>();
        int retriedCount = 0;
        int fixedCount = 0;
        String next = null;
        do {
            LetterPage page = letters.list(filter, PAGE, next);
            for (LetterSummary letter : page.letters()) {
                if (letter.notRetryable() != null) {
                    fixedCount++;
                } else if (letter.retried() != null) {
                    retriedCount++;
                } else {
                    matching.add(letter.position());
                }
            }
            next = page.next();
        } while (next != null);
        if (retriedCount > 0) {
            say(retriedCount + " were put back before and are left alone");
        }
        if (fixedCount > 0) {
            say(fixedCount + " cannot be put back; 'vigil dead-letters show' says why");
        }
        return matching;
    }

    private boolean isConfirmed(int count) {
        Console console = System.console();
        if (console == null) {
            throw new CommandFailure(count + " would be put back; --yes does it without asking");
        }
        String answer = console.readLine("put back %d records? [y/N] ", count);
        return answer != null && answer.strip().equalsIgnoreCase("y");
    }

    /** Some at a time, so that a failure in the middle tells how far it came. */
    private int retry(DeadLetters letters, SortedSet<LetterPosition> wanted) {
        int doneCount = 0;
        List<RetryOutcome> refused = new ArrayList<>();
        Iterator<LetterPosition> rest = wanted.iterator();
        while (rest.hasNext()) {
            SortedSet<LetterPosition> some = new TreeSet<>();
            while (rest.hasNext() && some.size() < PAGE) {
                some.add(rest.next());
            }
            for (RetryOutcome outcome : letters.retry(some)) {
                if (outcome.into() == null) {
                    refused.add(outcome);
                } else {
                    doneCount++;
                    if (wanted.size() <= TOLD) {
                        say(outcome.position() + " is now " + OneLine.of(outcome.into()));
                    }
                }
            }
        }
        if (!refused.isEmpty()) {
            refused.forEach(outcome -> say(outcome.position() + " was not put back: " + outcome.refusal()));
            throw new CommandFailure(refused.size() + " of " + wanted.size() + " could not be put back");
        }
        if (doneCount != 1) {
            say(doneCount + " put back");
        }
        return 0;
    }

    private void say(String line) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(line);
        out.flush();
    }
}
