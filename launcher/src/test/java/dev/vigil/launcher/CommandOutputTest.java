package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a command says that cannot write, or that a shell hands something to which it cannot take. */
class CommandOutputTest {
    private static final String NOT_WRITTEN =
            "vigil: the output could not be written to its end: it is closed, or the disk is full\n";

    @TempDir
    Path directory;

    @Test
    void shouldFailWhereItsOutputCannotBeWritten() throws Exception {
        StringWriter err = new StringWriter();
        PrintWriter closed = new PrintWriter(new OutputStreamWriter(new ClosedPipe(), StandardCharsets.UTF_8), true);

        int exitCode = Vigil.run(closed, new PrintWriter(err), "policy", "check", goodPolicy());

        assertThat(exitCode).isEqualTo(1);
        assertThat(err).hasToString(NOT_WRITTEN);
    }

    @Test
    void shouldSayNothingOfTheOutputWhereItFailedAnyway() {
        StringWriter err = new StringWriter();
        PrintWriter closed = new PrintWriter(new OutputStreamWriter(new ClosedPipe(), StandardCharsets.UTF_8), true);

        int exitCode = Vigil.run(closed, new PrintWriter(err), "policy", "check", "none.yaml");

        assertThat(exitCode).isEqualTo(2);
        assertThat(err).hasToString("vigil: none.yaml: no such file\n");
    }

    @Test
    void shouldFailInAProcessOfItsOwnWhereTheDiskIsFull() throws Exception {
        File full = new File("/dev/full");
        assumeThat(full).exists();

        assertEnds(
                VigilProcess.builder(directory, "policy", "check", goodPolicy()).redirectOutput(full), 1, NOT_WRITTEN);
        assertEnds(VigilProcess.builder(directory, "--version").redirectOutput(full), 1, NOT_WRITTEN);
    }

    @Test
    void shouldSayWhichLocaleHasTheCharactersOfAPath() throws Exception {
        ProcessBuilder check = VigilProcess.builder(directory, "policy", "check", "\u00fcber.yaml");
        check.environment().put("LC_ALL", "C");

        Process process = check.start();
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).isEqualTo(2);
        assertThat(err)
                .startsWith("vigil: a path has characters that this locale does not have (")
                .contains("); set LC_ALL to one with UTF-8, such as C.UTF-8\n");
    }

    /** Java takes them from the locale alone. */
    @Test
    void shouldStartInALocaleThatHasEveryCharacter() throws Exception {
        Files.createDirectory(directory.resolve("lib"));
        Path java = Files.writeString(
                Files.createDirectories(directory.resolve("bin")).resolve("java"), "#!/bin/sh\necho \"$LC_ALL\"\n");
        assertThat(java.toFile().setExecutable(true)).isTrue();
        Path script = Files.copy(Repository.file("vigil"), directory.resolve("vigil"));

        assertThat(localeFrom(script, "C")).isEqualTo("C.UTF-8");
        assertThat(localeFrom(script, "")).isEqualTo("C.UTF-8");
        assertThat(localeFrom(script, "de_DE.UTF-8")).isEqualTo("de_DE.UTF-8");
        assertThat(localeFrom(script, "de_DE.ISO-8859-1")).isEqualTo("de_DE.ISO-8859-1");
    }

    private String localeFrom(Path script, String locale) throws IOException {
        ProcessBuilder builder = new ProcessBuilder("/bin/sh", script.toString(), "--version");
        builder.environment().put("JAVA_HOME", directory.toString());
        builder.environment().remove("LANG");
        builder.environment().remove("LC_CTYPE");
        builder.environment().put("LC_ALL", locale);
        return new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    }

    private static void assertEnds(ProcessBuilder builder, int exitCode, String err) throws Exception {
        Process process = builder.start();
        try {
            String said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(said).isEqualTo(err);
            assertThat(process.exitValue()).isEqualTo(exitCode);
        } finally {
            process.destroyForcibly();
        }
    }

    private String goodPolicy() throws IOException {
        return Files.writeString(
                        directory.resolve("good.yaml"),
                        "policy: p\nversion: 1\ncurrency: EUR\nevents: {login: {fields: {success: bool}}}\n")
                .toString();
    }

    /** Whoever read it is gone. */
    private static final class ClosedPipe extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("Broken pipe");
        }
    }
}
