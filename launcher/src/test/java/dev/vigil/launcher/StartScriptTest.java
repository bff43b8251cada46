package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The start script in a distribution, and the archive of classes that it may find there. */
class StartScriptTest {
    @TempDir
    private Path distribution;

    @BeforeEach
    void layOut() throws IOException {
        Files.copy(Repository.file("vigil"), distribution.resolve("vigil"));
        Files.createDirectories(distribution.resolve("lib"));
        Files.createDirectories(distribution.resolve("archive"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Arrays.stream(System.getProperty(
                                                "surefire.test.class.path", System.getProperty("java.class.path"))
                                        .split(File.pathSeparator, -1))
                                .map(entry -> Path.of(entry).toUri())
                                .map(URI::toString)
                                .collect(Collectors.joining(" ")));
        try (OutputStream file = Files.newOutputStream(distribution.resolve("lib/classes.jar"));
                JarOutputStream jar = new JarOutputStream(file, manifest)) {
            jar.finish();
        }
    }

    @Test
    void shouldStartWithoutAnArchiveOfClasses() throws Exception {
        assertThat(run(
                        "sh",
                        "vigil",
                        "policy",
                        "check",
                        Repository.file("policies/card-fraud.yaml").toString()))
                .contains("policy card-fraud version 1 is good");
    }

    @Test
    void shouldTakeAnotherGarbageCollectorForShortCommandsAsForServices() throws Exception {
        String options = "VIGIL_JAVA_OPTS=-XX:-UseG1GC -XX:+UseParallelGC";
        assertThat(run("env", options, "sh", "vigil", "--version")).startsWith("vigil ");
        assertThat(run("env", options, "sh", "vigil", "run", "--help")).startsWith("Usage: vigil run");
    }

    @Test
    void shouldLeaveAnArchiveAloneThatIsNone() throws Exception {
        Files.write(distribution.resolve("archive/classes.jsa"), new byte[1 << 16]);

        assertThat(run(
                        "sh",
                        "vigil",
                        "policy",
                        "check",
                        Repository.file("policies/card-fraud.yaml").toString()))
                .contains("policy card-fraud version 1 is good")
                .doesNotContain("arning");
    }

    @Test
    void shouldSayWhyThereIsNoArchiveAndGoOn() throws Exception {
        Path nothing = Files.createDirectories(distribution.resolve("nothing"));
        Path archive = distribution.resolve("archive/classes.jsa");

        assertThat(run(
                        "sh",
                        Repository.file("deploy/class-archive").toString(),
                        nothing.toString(),
                        archive.toString()))
                .startsWith("no archive of classes, so starts take longer: ")
                .contains("dev.vigil.launcher.Vigil");
        assertThat(archive.getParent()).isEmptyDirectory();
    }

    private String run(String... command) throws IOException, InterruptedException {
        Path output = distribution.resolve("output");
        Process process = new ProcessBuilder(command)
                .directory(distribution.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
            String printed = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(printed).isZero();
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }
}
