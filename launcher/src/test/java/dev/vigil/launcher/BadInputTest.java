package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.vigil.config.ConfigException;
import dev.vigil.service.VigilVersion;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person sees who gets something wrong: one line that says what was expected and what was found. */
class BadInputTest {
    private static final String POLICY = """
            policy: p
            version: 1
            currency: EUR
            events:
              transaction: {fields: {amount: money}}
            features:
              tx_count_1h: {count: transaction, over: 1h}
            rules:
              - {id: velocity, when: "tx_count_1h > 5", score: 35}
            """;

    @TempDir
    Path directory;

    @Test
    void shouldNameLineAndNearestKeyForATypoInAPolicy() throws Exception {
        CommandResult result = check(POLICY.replace("over: 1h", "ovr: 1h"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo("vigil: " + directory.resolve("policy.yaml")
                        + ":7:37: features.tx_count_1h.ovr: unknown key 'ovr', did you mean 'over'?\n");
    }

    @Test
    void shouldNameTheNearestFeatureForATypoInARule() throws Exception {
        CommandResult result = check(POLICY.replace("tx_count_1h > 5", "tx_cuont_1h > 5"));

        assertThat(result.err())
                .contains(":9:")
                .contains("unknown name 'tx_cuont_1h', did you mean 'tx_count_1h'?")
                .hasLineCount(1);
    }

    @Test
    void shouldAcceptTheGoodOne() throws Exception {
        CommandResult result = check(POLICY);

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).contains("policy p version 1 is good");
    }

    private CommandResult check(String policy) throws Exception {
        Path file = Files.writeString(directory.resolve("policy.yaml"), policy);
        return CommandResult.of("policy", "check", file.toString());
    }

    @Test
    void shouldRefuseADataDirectoryOfAnotherVersion() throws Exception {
        Files.writeString(directory.resolve("FORMAT"), "99\n");

        CommandResult result = CommandResult.of("demo", "--data-dir", directory.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo("vigil: data directory " + directory + ": expected format 1, found 99; use the Vigil version"
                        + " that wrote it, or another directory\n");
    }

    @Test
    void shouldRefuseADataDirectoryThatCannotBeWritten() throws Exception {
        Path file = Files.writeString(directory.resolve("a-file"), "");

        CommandResult result =
                CommandResult.of("demo", "--data-dir", file.resolve("data").toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .startsWith("vigil: data directory ")
                .contains("cannot be written")
                .hasLineCount(1);
    }

    @Test
    void shouldSayOnceWhyADataDirectoryCannotBeWritten() {
        Path path = Path.of("/proc/vigil-data");
        assumeThat(path.getParent()).isDirectory();

        CommandResult result = CommandResult.of("demo", "--data-dir", path.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo("vigil: data directory " + path + " cannot be written: no directory can be created there\n");
    }

    @Test
    void shouldRefuseADataDirectoryInUse() {
        try (DataDirectory held = DataDirectory.open(directory, java.util.EnumSet.of(ServiceName.ALERTING))) {
            CommandResult result =
                    CommandResult.of("demo", "--data-dir", held.path().toString());

            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err()).contains("is in use by another process").hasLineCount(1);
        }
    }

    @Test
    void shouldRefuseAPortInUseBeforeAnythingElseStarts() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CommandResult result = CommandResult.of(
                    "demo",
                    "--data-dir",
                    directory.resolve("data").toString(),
                    "--port",
                    Integer.toString(taken.getLocalPort()));

            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err())
                    .isEqualTo("vigil: port " + taken.getLocalPort()
                            + " is in use; stop what listens there, or choose another with --port\n");
        }
    }

    @Test
    void shouldRefuseAReportThatCannotBeWrittenBeforeAnythingElseStarts() {
        String root = directory.getRoot().toString();
        String data = directory.resolve("data").toString();

        CommandResult result = CommandResult.of("demo", "--data-dir", data, "--port", "0", "--report", root);

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err()).isEqualTo("vigil: --report: cannot write into " + root + "\n");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldAnswerAWrongCallWithUsage() {
        assertThat(CommandResult.of("demo", "--rate", "0").exitCode()).isEqualTo(2);
        assertThat(CommandResult.of("demo", "--duration", "soon").err()).contains("expected a duration such as 30s");
        assertThat(CommandResult.of("run", "--only", "alertin", "--config", "none.yaml")
                        .exitCode())
                .isEqualTo(2);
        assertThat(CommandResult.of("nonsense").exitCode()).isEqualTo(2);
    }

    @Test
    void shouldListTheCommandsWhereNoneIsNamed() {
        CommandResult result = CommandResult.of();

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("demo", "run", "policy", "backtest", "query", "explain", "dead-letters", "verify");
    }

    @Test
    void shouldPointToTheHelpOfTheVeryCommandThatWasCalledWrongly() {
        assertThat(CommandResult.of("policy", "check").err())
                .isEqualTo("vigil: Missing required parameter: 'FILE'\ntry 'vigil policy check --help'\n");
        assertThat(CommandResult.of("policy", "check", "--help").exitCode()).isZero();
        assertThat(CommandResult.of("nonsense").err()).endsWith("try 'vigil --help'\n");
        assertThat(CommandResult.of("demo", "--rate").err()).endsWith("try 'vigil demo --help'\n");
    }

    @Test
    void shouldNotLetAPolicyCutOrColourTheMessageOfIt() throws Exception {
        CommandResult result = check(POLICY.replace("ovr", "over").replace("over: 1h", "\"o\\nv\\e[31mr\": 1h"));

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .endsWith(
                        ":7:37: features.tx_count_1h.o\\nv\\u001b[31mr: unknown key 'o\\nv\\u001b[31mr', expected one of over, "
                                + "where, per, delay, prior, n, expr, count, sum, avg, min, max, stddev, distinct, first, last, "
                                + "nth_last, rate, elapsed_since, since_newest, geo_speed\n")
                .hasLineCount(1);
    }

    @Test
    void shouldNotLetTheNameOfAFileDoSoEither() {
        CommandResult result = CommandResult.of("policy", "check", "no\nsuch\u001b[31mfile");

        assertThat(result.err()).isEqualTo("vigil: no\\nsuch\\u001b[31mfile: no such file\n");
    }

    @Test
    void shouldSayThatTheBrokerOfADemoIsAwayAndAskWhetherItRuns() throws Exception {
        String broker = closedPort();
        Path config = config(DemoConfigText.FIRST_LINE + "\n", broker);

        for (String[] command : new String[][] {
            {"verify"},
            {"policy", "show"},
            {"dead-letters", "list"},
            {"dead-letters", "show", "3:17"},
            {"dead-letters", "retry", "3:17"},
            {"policy", "apply", goodPolicy()},
            {"backtest", "--events", "kafka:vigil.events", "--policy", goodPolicy(), "--out", "results"}
        }) {
            CommandResult result = CommandResult.of(with(command, "--config", config.toString()));

            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err())
                    .isEqualTo("vigil: cannot reach Kafka: nothing listens at " + broker + "; is the demo running?\n");
        }
    }

    @Test
    void shouldNameTheSettingWhereTheBrokerOfADeploymentIsAway() throws Exception {
        String broker = closedPort();
        Path config = config("", broker);

        CommandResult result = CommandResult.of("verify", "--config", config.toString());

        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.err())
                .isEqualTo("vigil: cannot reach Kafka: nothing listens at " + broker + " (kafka.bootstrap-servers in "
                        + config + ")\n");
    }

    @Test
    void shouldNameThePlaceOfABrokerWhoseHostIsNotKnown() throws Exception {
        Path config = config("", "nohost.invalid:1");

        for (String[] command : new String[][] {{"verify"}, {"policy", "show"}, {"run", "--only", "scoring-engine"}}) {
            CommandResult result = CommandResult.of(with(command, "--config", config.toString()));

            assertThat(result.exitCode()).isEqualTo(1);
            assertThat(result.err())
                    .isEqualTo(
                            "vigil: " + config + ":2:28: kafka.bootstrap-servers: expected a host that is known here,"
                                    + " found nohost.invalid:1\n");
        }
    }

    @Test
    void shouldNameThePlaceOfAddressesThatAreNone() throws Exception {
        Path config = config("", ",,");

        CommandResult result = CommandResult.of("run", "--config", config.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .isEqualTo("vigil: " + config + ":2:28: kafka.bootstrap-servers: expected host:port, or several with"
                        + " commas between them, found ',,'\n");
    }

    @Test
    void shouldSayWhatKafkaDoesNotTakeOfItsProperties() throws Exception {
        Path config = Files.writeString(
                directory.resolve("vigil.yaml"),
                "data-dir: .\nkafka: {bootstrap-servers: \"127.0.0.1:1\", properties: {security.protocol: maybe}}\n");

        CommandResult result = CommandResult.of("run", "--config", config.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .startsWith("vigil: " + config + ":2:75: kafka.properties.security.protocol: Kafka's clients refuse it:"
                        + " Invalid value maybe for configuration security.protocol")
                .hasLineCount(1);
    }

    @Test
    void shouldNameThePlaceOfASettingOfItsProducersAlone() throws Exception {
        Path config = Files.writeString(
                directory.resolve("vigil.yaml"),
                "data-dir: .\nkafka: {bootstrap-servers: \"127.0.0.1:1\", properties: {compression.type: maybe}}\n");

        CommandResult result = CommandResult.of("run", "--only", "scoring-engine", "--config", config.toString());

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .startsWith(
                        "vigil: " + config + ":2:74: kafka.properties.compression.type: Kafka's clients refuse it: ")
                .hasLineCount(1);
    }

    @Test
    void shouldNameThePlaceOfAPolicyThatIsNotThere() throws Exception {
        Path config = Files.writeString(
                directory.resolve("vigil.yaml"),
                "data-dir: .\nkafka: {bootstrap-servers: \"127.0.0.1:1\"}\npolicy: none.yaml\n");

        assertThatThrownBy(() -> VigilConfig.load(config, Map.of()).readPolicy())
                .isInstanceOf(ConfigException.class)
                .hasMessage(config + ":3:9: policy: expected a file that can be read, found none: "
                        + directory.resolve("none.yaml"));
        Files.writeString(directory.resolve("none.yaml"), POLICY.replace("version: 1", "version: one"));
        assertThatThrownBy(() -> VigilConfig.load(config, Map.of()).readPolicy())
                .hasMessage(directory.resolve("none.yaml") + ":2:10: version: expected an integer, found 'one'");
    }

    @Test
    void shouldNotSayThatTheBrokerIsAwayWhereItOnlyTakesLong() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String broker = "127.0.0.1:" + silent.getLocalPort();
            CommandConfig config = CommandConfig.load(config("", broker));

            assertThatThrownBy(() -> config.requireBroker(Duration.ofSeconds(1)))
                    .isInstanceOf(CommandFailure.class)
                    .hasMessage("no answer from Kafka within 1 s, though something listens at " + broker
                            + "; if the machine is busy, try again");
        }
    }

    private static String closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "127.0.0.1:" + socket.getLocalPort();
        }
    }

    private Path config(String firstLine, String broker) throws IOException {
        return Files.writeString(
                directory.resolve("vigil.yaml"),
                firstLine + "data-dir: .\nkafka: {bootstrap-servers: \"" + broker + "\", partitions: 4}\n");
    }

    private String goodPolicy() throws IOException {
        return Files.writeString(directory.resolve("good.yaml"), POLICY).toString();
    }

    private static String[] with(String[] command, String... more) {
        return Stream.concat(Arrays.stream(command), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void shouldTellTheVersionOfTheBuild() {
        CommandResult result = CommandResult.of("--version");

        assertThat(result.exitCode()).isZero();
        assertThat(result.out()).isEqualTo("vigil " + VigilVersion.current() + "\n");
        assertThat(Repository.text("pom.xml")).contains("<version>" + VigilVersion.current() + "</version>");
    }
}
