package dev.vigil.launcher;

import dev.vigil.config.ConfigException;
import dev.vigil.config.OneLine;
import dev.vigil.embedded.EmbeddedStartException;
import dev.vigil.service.ServiceException;
import dev.vigil.service.VigilVersion;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code vigil} command. Exit code 0: done; 1: it failed, with one line that says why; 2: it was called wrongly. */
@Command(
        name = "vigil",
        description = "Fraud scoring and alerting with exact event-time windows.",
        mixinStandardHelpOptions = true,
        versionProvider = Vigil.Version.class,
        subcommands = {
            DemoCommand.class,
            RunCommand.class,
            PolicyCommand.class,
            CdcCommand.class,
            AlertsCommand.class,
            BacktestCommand.class,
            QueryCommand.class,
            ExplainCommand.class,
            CasesCommand.class,
            DeadLettersCommand.class,
            EndpointsCommand.class,
            VerifyCommand.class
        })
public final class Vigil implements Callable<Integer> {
    static final int FAILED = 1;

    @Option(names = "--debug", scope = ScopeType.INHERIT, description = "Show stack traces.")
    private boolean debug;

    @Spec
    private CommandSpec spec;

    /** Without a command: which ones there are. */
    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }

    /** As the build named it. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"vigil " + VigilVersion.current()};
        }
    }

    public static void main(String[] args) {
        // Not System.out, which keeps a failure to itself.
        PrintWriter out = new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8), true);
        PrintWriter err = new PrintWriter(new OutputStreamWriter(System.err, StandardCharsets.UTF_8), true);
        System.exit(run(out, err, args));
    }

    /** Runs one command. @return the exit code */
    static int run(PrintWriter out, PrintWriter err, String... args) {
        Vigil vigil = new Vigil();
        CommandLine commandLine = new CommandLine(vigil).setOut(out).setErr(err);
        commandLine.setExecutionExceptionHandler((exception, command, result) -> vigil.complain(exception, command));
        commandLine.setParameterExceptionHandler((exception, rawArgs) -> {
            CommandLine command = exception.getCommandLine();
            command.getErr().println("vigil: " + OneLine.of(message(exception)));
            command.getErr().println("try '" + command.getCommandSpec().qualifiedName() + " --help'");
            return CommandLine.ExitCode.USAGE;
        });
        commandLine.setUnmatchedOptionsArePositionalParams(false);
        int exitCode = commandLine.execute(args);
        if (exitCode == CommandLine.ExitCode.OK && out.checkError()) {
            err.println("vigil: the output could not be written to its end: it is closed, or the disk is full");
            return FAILED;
        }
        return exitCode;
    }

    private int complain(Exception exception, CommandLine command) {
        if (debug) {
            exception.printStackTrace(command.getErr());
        }
        command.getErr().println("vigil: " + OneLine.of(message(exception)));
        return exception instanceof ConfigException ? CommandLine.ExitCode.USAGE : FAILED;
    }

    /** Java takes the characters of file names from the locale, and from nothing that the start script could pass. */
    private static boolean isPathOfNoLocale(Throwable exception) {
        return String.valueOf(exception.getMessage()).contains("input contains unmappable characters");
    }

    private static String message(Exception exception) {
        if (isPathOfNoLocale(exception)) {
            return "a path has characters that this locale does not have (" + System.getProperty("sun.jnu.encoding")
                    + "); set LC_ALL to one with UTF-8, such as C.UTF-8";
        }
        boolean meantForPeople = exception instanceof ServiceException
                || exception instanceof ParameterException
                || exception instanceof ConfigException
                || exception instanceof EmbeddedStartException
                || exception instanceof CommandFailure;
        String message =
                String.valueOf(exception.getMessage()).lines().findFirst().orElse("");
        return meantForPeople
                ? message
                : "unexpected: " + exception.getClass().getSimpleName() + ": " + message + " (--debug shows where)";
    }
}
