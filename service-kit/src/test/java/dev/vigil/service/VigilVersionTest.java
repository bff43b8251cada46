package dev.vigil.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class VigilVersionTest {
    @Test
    void shouldBeTheOneOfTheBuild() throws IOException {
        String pom = Files.readString(Path.of(System.getProperty("vigil.repository"), "pom.xml"));

        assertThat(VigilVersion.current()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(pom)
                .contains("<artifactId>vigil-parent</artifactId>\n  <version>" + VigilVersion.current() + "</version>");
    }
}
