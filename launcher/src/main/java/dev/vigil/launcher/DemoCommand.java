package dev.vigil.launcher;

import dev.vigil.config.Durations;
import dev.vigil.event.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code vigil demo}: everything in one process, with traffic. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = "Start a broker, a bank's database and all of Vigil in one process, and play card payments with"
                + " planted fraud.")
final class DemoCommand implements Callable<Integer> {
    private static final Path DEFAULT_DATA_DIRECTORY = Path.of("vigil-data");
    private static final int DEFAULT_PORT = 8080;

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "50",
            description = "Payments and logins per second (default: ${DEFAULT-VALUE}).")
    private double rate;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long to play, such as 60s (default: until Ctrl-C).")
    private @Nullable Duration duration;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Which bank and which fraud (default: ${DEFAULT-VALUE}); a started bank stays as it is.")
    private long seed;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Where everything is kept (default: ${DEFAULT-VALUE}); a second start goes on from there.")
    private Path dataDirectory = DEFAULT_DATA_DIRECTORY;

    @Option(names = "--port", paramLabel = "N", description = "Of page and API (default: ${DEFAULT-VALUE}).")
    private int port = DEFAULT_PORT;

    @Option(
            names = "--accept-gap",
            description = "Read the bank's tables anew where changes were lost to capture, which a start that found it"
                    + " says.")
    private boolean acceptGap;

    @Option(names = "--policy", paramLabel = "FILE", description = "Policy (default: the demo's own).")
    private @Nullable Path policy;

    @Option(names = "--report", paramLabel = "FILE.json", description = "Write figures there at the end.")
    private @Nullable Path report;

    @Override
    public Integer call() throws Exception {
        requireArguments();
        Path data = dataDirectory.toAbsolutePath().normalize();
        StopSignal stop = StopSignal.install();
        try (DataDirectory directory = DataDirectory.open(data, EnumSet.allOf(ServiceName.class))) {
            Files.createDirectories(directory.path().resolve("logs"));
            Logging.toFile(directory.path().resolve("logs/vigil.log"));
            DemoReport result;
            try (DemoRun run = DemoRun.start(settings(data), spec.commandLine().getOut(), stop)) {
                run.play();
                result = run.finish();
            }
            return conclude(result);
        }
    }

    private DemoRun.Settings settings(Path data) {
        return new DemoRun.Settings(
                data,
                rate,
                Optional.ofNullable(duration),
                seed,
                port,
                Optional.ofNullable(policy),
                acceptGap,
                acceptingCommand());
    }

    /** What starts this demo again, in the same place, and accepts a gap. */
    private String acceptingCommand() {
        return "./vigil demo --accept-gap"
                + (dataDirectory.equals(DEFAULT_DATA_DIRECTORY)
                        ? ""
                        : " --data-dir " + ShellWord.of(dataDirectory.toString()))
                + (port == DEFAULT_PORT ? "" : " --port " + port);
    }

    private void requireArguments() {
        if (!(rate > 0 && rate <= 20_000)) {
            throw new ParameterException(
                    spec.commandLine(), "--rate: expected a number from 0.1 to 20000, found " + rate);
        }
        if (port < 0 || port > 65_535) {
            throw new ParameterException(spec.commandLine(), "--port: expected 0 to 65535, found " + port);
        }
        requireFreePort();
        if (report != null) {
            Path folder = report.toAbsolutePath().getParent();
            if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
                throw new CommandFailure("--report: cannot write into " + (folder == null ? report : folder));
            }
        }
    }

    /** Starting takes a while; a taken port is said at once. */
    private void requireFreePort() {
        try (ServerSocket probe = new ServerSocket()) {
            probe.setReuseAddress(true);
            probe.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        } catch (IOException e) {
            throw new CommandFailure(
                    "port " + port + " is in use; stop what listens there, or choose another with --port");
        }
    }

    private int conclude(DemoReport result) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        DemoSummary.print(out, result);
        if (report != null) {
            Files.write(report, Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsBytes(result));
            out.println("report in " + report);
        }
        out.flush();
        return result.balanced() ? 0 : Vigil.FAILED;
    }

    /** As policies write durations. */
    static final class DurationConverter implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            try {
                return Durations.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
