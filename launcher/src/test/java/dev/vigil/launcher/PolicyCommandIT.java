package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vigil.embedded.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** {@code vigil policy} as a person calls it, on a broker without topics. */
class PolicyCommandIT {
    @TempDir
    static Path brokerDirectory;

    private static EmbeddedKafka broker;

    @TempDir
    Path directory;

    private Path config;

    @BeforeAll
    static void startBroker() {
        broker = EmbeddedKafka.start(brokerDirectory);
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void writeConfig(TestInfo test) throws IOException {
        config = Files.writeString(
                directory.resolve("vigil.yaml"),
                "data-dir: .\nkafka: {bootstrap-servers: \"" + broker.bootstrapServers()
                        + "\", partitions: 2, replication-factor: 1, topic-prefix: "
                        + test.getTestMethod().orElseThrow().getName() + "}\n");
    }

    @Test
    void shouldActivateAHigherVersionAndLeaveAnUnchangedOneAlone() throws IOException {
        CommandResult none = CommandResult.of("policy", "show", "--config", config.toString());
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.err()).isEqualTo("vigil: no policy is active; 'vigil policy apply' activates one\n");

        assertSays(apply(policy(1, 5)), "activated policy p version 1 in 2 partitions\n");
        assertSays(apply(policy(1, 5)), "policy p version 1 is active already\n");
        assertSays(apply(policy(2, 6)), "activated policy p version 2 in 2 partitions\n");

        assertThat(show()).isEqualTo(policy(2, 6));
    }

    @Test
    void shouldRollBackOnlyWhenForced() throws IOException {
        apply(policy(2, 5));
        apply(policy(3, 6));

        CommandResult refused = apply(policy(2, 5));
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
                .isEqualTo("vigil: " + directory.resolve("policy.yaml")
                        + ":2:10: version: expected more than 3, as p version 3 is active, found p version 2;"
                        + " --force rolls back\n");
        assertThat(show()).isEqualTo(policy(3, 6));

        assertThat(apply(policy(2, 5), "--force").exitCode()).isZero();
        assertThat(show()).isEqualTo(policy(2, 5));
    }

    @Test
    void shouldNeverActivateAnotherTextUnderTheSameVersion() throws IOException {
        apply(policy(2, 5));

        for (String[] options : new String[][] {{}, {"--force"}}) {
            CommandResult refused = apply(policy(2, 6), options);
            assertThat(refused.exitCode()).isEqualTo(1);
            assertThat(refused.err())
                    .isEqualTo("vigil: " + directory.resolve("policy.yaml")
                            + ":2:10: version: expected one of its own for a new text, found p version 2, which was activated"
                            + " before with another text (active: p version 2)\n");
        }
        assertThat(show()).isEqualTo(policy(2, 5));
    }

    @Test
    void shouldNamePlaceOfACurrencyThatIsAnother() throws IOException {
        apply(policy(2, 5));
        CommandResult refused = apply(policy(3, 5).replace("EUR", "USD"));
        assertThat(refused.err())
                .isEqualTo(
                        "vigil: " + directory.resolve("policy.yaml")
                                + ":3:11: currency: expected EUR as until now, since remembered amounts are in it, found USD\n");
    }

    /** Kafka would refuse it too, in words that help nobody. */
    @Test
    void shouldRefuseAPolicyThatIsTooLargeForTheLogByCheckAndByApplyAlike() throws IOException {
        String large = policy(2, 5) + "# " + "\"".repeat(300_000) + "\n";
        String refusal = "vigil: " + directory.resolve("policy.yaml")
                + ":10:299799: expected a text of at most 300000 bytes, found 300205\n";
        assertThat(apply(large).err()).isEqualTo(refusal);
        CommandResult checked = CommandResult.of(
                "policy", "check", directory.resolve("policy.yaml").toString());
        assertThat(checked.err()).isEqualTo(refusal);
        assertThat(checked.exitCode()).isEqualTo(2);
    }

    /** What follows is about an engine that does not run here. */
    private static void assertSays(CommandResult result, String first) {
        assertThat(result.exitCode()).isZero();
        assertThat(result.err()).isEmpty();
        assertThat(result.out()).startsWith(first);
    }

    private CommandResult apply(String policy, String... options) throws IOException {
        Path file = Files.writeString(directory.resolve("policy.yaml"), policy);
        String[] arguments = new String[options.length + 5];
        System.arraycopy(
                new String[] {"policy", "apply", "--config", config.toString(), file.toString()}, 0, arguments, 0, 5);
        System.arraycopy(options, 0, arguments, 5, options.length);
        return CommandResult.of(arguments);
    }

    /** Without the comments on what an engine knows of it. */
    private String show() {
        return CommandResult.of("policy", "show", "--config", config.toString())
                .out()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line + "\n")
                .collect(Collectors.joining());
    }

    private static String policy(int version, int most) {
        return """
                policy: p
                version: %d
                currency: EUR
                events:
                  transaction: {fields: {amount: money}}
                features:
                  tx_count_1h: {count: transaction, over: 1h}
                rules:
                  - {id: velocity, when: "tx_count_1h > %d", score: 35}
                """.formatted(version, most);
    }
}
