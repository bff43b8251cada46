package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
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
        Result result = check(POLICY.replace("over: 1h", "ovr: 1h"));

        assertThat(result.exitCode).isEqualTo(2);
        assertThat(result.err)
                .isEqualTo("vigil: " + directory.resolve("policy.yaml")
                        + ":7:37: features.tx_count_1h.ovr: unknown key 'ovr', did you mean 'over'?\n");
    }

    @Test
    void shouldNameTheNearestFeatureForATypoInARule() throws Exception {
        Result result = check(POLICY.replace("tx_count_1h > 5", "tx_cuont_1h > 5"));

        assertThat(result.err)
                .contains(":9:")
                .contains("unknown name 'tx_cuont_1h', did you mean 'tx_count_1h'?")
                .hasLineCount(1);
    }

    @Test
    void shouldAcceptTheGoodOne() throws Exception {
        Result result = check(POLICY);

        assertThat(result.exitCode).isZero();
        assertThat(result.out).contains("policy p version 1 is good");
    }

    private Result check(String policy) throws Exception {
        Path file = Files.writeString(directory.resolve("policy.yaml"), policy);
        return vigil("policy", "check", file.toString());
    }

    @Test
    void shouldRefuseADataDirectoryOfAnotherVersion() throws Exception {
        Files.writeString(directory.resolve("FORMAT"), "99\n");

        Result result = vigil("demo", "--data-dir", directory.toString());

        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err)
                .isEqualTo("vigil: data directory " + directory + ": expected format 1, found 99; use the Vigil version"
                        + " that wrote it, or another directory\n");
    }

    @Test
    void shouldRefuseADataDirectoryThatCannotBeWritten() throws Exception {
        Path file = Files.writeString(directory.resolve("a-file"), "");

        Result result = vigil("demo", "--data-dir", file.resolve("data").toString());

        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err)
                .startsWith("vigil: data directory ")
                .contains("cannot be written")
                .hasLineCount(1);
    }

    @Test
    void shouldRefuseADataDirectoryInUse() {
        try (DataDirectory held = DataDirectory.open(directory, java.util.EnumSet.of(ServiceName.ALERTING))) {
            Result result = vigil("demo", "--data-dir", held.path().toString());

            assertThat(result.exitCode).isEqualTo(1);
            assertThat(result.err).contains("is in use by another process").hasLineCount(1);
        }
    }

    @Test
    void shouldRefuseAPortInUseBeforeAnythingElseStarts() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, java.net.InetAddress.getLoopbackAddress())) {
            Result result = vigil(
                    "demo",
                    "--data-dir",
                    directory.resolve("data").toString(),
                    "--port",
                    Integer.toString(taken.getLocalPort()));

            assertThat(result.exitCode).isEqualTo(1);
            assertThat(result.err)
                    .isEqualTo("vigil: port " + taken.getLocalPort()
                            + " is in use; stop what listens there, or choose another with --port\n");
        }
    }

    @Test
    void shouldRefuseAReportThatCannotBeWrittenBeforeAnythingElseStarts() {
        String root = directory.getRoot().toString();
        String data = directory.resolve("data").toString();

        Result result = vigil("demo", "--data-dir", data, "--port", "0", "--report", root);

        assertThat(result.exitCode).isEqualTo(1);
        assertThat(result.err).isEqualTo("vigil: --report: cannot write into " + root + "\n");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void shouldAnswerAWrongCallWithUsage() {
        assertThat(vigil("demo", "--rate", "0").exitCode).isEqualTo(2);
        assertThat(vigil("demo", "--duration", "soon").err).contains("expected a duration such as 30s");
        assertThat(vigil("run", "--only", "alertin", "--config", "none.yaml").exitCode)
                .isEqualTo(2);
        assertThat(vigil("nonsense").exitCode).isEqualTo(2);
    }

    private record Result(int exitCode, String out, String err) {}

    private static Result vigil(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exitCode = Vigil.run(new PrintWriter(out), new PrintWriter(err), arguments);
        return new Result(exitCode, out.toString(), err.toString());
    }
}
