package dev.vigil.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordTest {
    @Test
    void shouldLeaveAWordAsItIs() {
        assertThat(ShellWord.of("/home/x/vigil-data/vigil.yaml")).isEqualTo("/home/x/vigil-data/vigil.yaml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/my data/vigil.yaml", "it's", "$HOME`x`", "a;b&c|d", "\u00fc*?", "", "~", "\"", "\\"})
    void shouldComeOutOfAShellAsItWentIn(String text) throws Exception {
        Process shell = new ProcessBuilder("/bin/sh", "-c", "printf %s " + ShellWord.of(text)).start();
        assertThat(new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo(text);
    }
}
