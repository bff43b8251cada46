package dev.vigil.backtest.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.backtest.Progress;
import dev.vigil.backtest.SourceSpec;
import dev.vigil.config.ConfigException;
import dev.vigil.service.ServiceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a backtest does not start with or does not get through: one line that says why, and no results. */
class BacktestRefusalTest {
    private static final String ROW = "a,2026-01-01T10:00:00Z,c1,150.00,m1,1,1";

    @TempDir
    Path directory;

    private BacktestFolder folder;

    @BeforeEach
    void prepare() throws IOException {
        folder = new BacktestFolder(directory);
        folder.events(ROW);
    }

    @Test
    void shouldNameTheNearestColumnOfTheFile() throws IOException {
        folder.write("small.mapping.yaml", BacktestFolder.MAPPING.replace("account: card", "account: crad"));
        refused(
                ConfigException.class,
                "small.mapping.yaml:3:10: account: events.csv has no column 'crad', did you mean" + " 'card'?");
    }

    @Test
    void shouldSayWhichMappingIsMissing() throws IOException {
        Files.delete(directory.resolve("small.mapping.yaml"));
        refused(ConfigException.class, "small.mapping.yaml: no such file; it must say how the columns of");
    }

    @Test
    void shouldRefuseAPolicyWithAMistake() throws IOException {
        folder.write("small.yaml", BacktestFolder.POLICY.replace("over: 1h", "ovr: 1h"));
        refused(ConfigException.class, "did you mean 'over'?");
    }

    @Test
    void shouldRefuseAFeatureThatHasTheNameOfAnotherColumn() throws IOException {
        folder.write("small.yaml", BacktestFolder.POLICY.replace("n_1h", "Score"));
        refused(ConfigException.class, "features.Score: the table of scored events has a column 'score' already");
    }

    @Test
    void shouldRefuseAFileThatIsNotThere() throws IOException {
        Files.delete(folder.events);
        refused(ServiceException.class, "events.csv: no such file");
    }

    @Test
    void shouldRefuseAFileWithoutAHeader() throws IOException {
        Files.writeString(folder.events, "");
        refused(ServiceException.class, "events.csv: expected a header that names the columns, found nothing");
    }

    @Test
    void shouldRefuseAHeaderThatNamesAColumnTwice() throws IOException {
        Files.writeString(folder.events, "id,at,id\n");
        refused(ServiceException.class, "events.csv:1: the header names column 'id' twice");
    }

    @Test
    void shouldRefuseAFileThatIsCutOff() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
            gzip.write((BacktestFolder.HEADER + ROW + "\n").getBytes(StandardCharsets.UTF_8));
        }
        Files.write(folder.events, Arrays.copyOf(bytes.toByteArray(), bytes.size() - 12));
        refused(ServiceException.class, "events.csv: is cut off after line ");
    }

    @Test
    void shouldRefuseAnOutputDirectoryThatIsAFile() throws IOException {
        Files.writeString(folder.out, "");
        assertThatThrownBy(folder::run)
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("out: cannot be written to");
    }

    @Test
    void shouldRefuseSourcesThatItCannotRead() {
        assertThatThrownBy(() -> Backtest.run(
                        BacktestConfig.of(folder.policy, SourceSpec.parse("kafka:vigil.events"), folder.out),
                        Progress.NONE))
                .isInstanceOf(ConfigException.class)
                .hasMessage("kafka:vigil.events: the configuration has no section 'kafka'");
        assertThatThrownBy(() -> SourceSpec.parse("events.csv"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("expected events from file:PATH, kafka:TOPIC or iceberg:TABLE, found 'events.csv'");
    }

    @Test
    void shouldLeaveEarlierResultsAsTheyAreWhenARunFails() throws IOException {
        folder.run();
        Map<String, byte[]> before = folder.results();
        Files.writeString(folder.events, "id,id\n");
        assertThatThrownBy(folder::run).isInstanceOf(ServiceException.class);
        assertThat(folder.results()).containsOnlyKeys(before.keySet());
        before.forEach((name, bytes) -> assertThat(folder.out.resolve(name)).hasBinaryContent(bytes));
    }

    @Test
    void shouldStopOnInterruptWithNothingWritten() throws IOException {
        CardRows.write(folder.events, CardRows.seeded(1, 20_000, 10, 30));
        BacktestConfig config =
                BacktestConfig.of(Scored.HANDBOOK, folder.config().events(), folder.out);
        assertThatThrownBy(() -> Backtest.run(
                        config, (records, done) -> Thread.currentThread().interrupt()))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(folder.results()).isEmpty();
    }

    private void refused(Class<? extends RuntimeException> kind, String message) {
        assertThatThrownBy(folder::run)
                .isInstanceOf(kind)
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
        assertThat(folder.out.resolve("report.json")).doesNotExist();
    }
}
