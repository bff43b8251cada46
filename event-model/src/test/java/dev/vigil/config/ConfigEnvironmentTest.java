package dev.vigil.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ConfigEnvironmentTest {
    @TempDir
    Path directory;

    @Test
    void shouldTakeValuesAndFallbacksFromTheEnvironment() throws IOException {
        ConfigNode root = load("""
                host: "${HOST}:${PORT:-9092}"
                port: ${PORT:-9092}
                list: ["${HOST}", b]
                inner: {empty: "${NOTHING:-}"}
                """, Map.of("HOST", "kafka"));

        assertThat(root.require("host").text()).isEqualTo("kafka:9092");
        assertThat(root.require("port").integer()).isEqualTo(9092);
        assertThat(root.require("list").items().get(0).text()).isEqualTo("kafka");
        assertThat(root.require("inner").require("empty").text()).isEmpty();
    }

    @Test
    void shouldTakeASecretAsItIsWhateverCharactersItHas() throws IOException {
        String secret = "a\"b: c #d\n'e\\${HOST}, {f}";

        ConfigNode root = load("password: \"${SECRET}\"\nplain: ${SECRET}\n", Map.of("SECRET", secret));

        assertThat(root.require("password").text()).isEqualTo(secret);
        assertThat(root.require("plain").text()).isEqualTo(secret);
        assertThat(root.keys()).containsExactly("password", "plain");
    }

    @Test
    void shouldNameTheMissingVariableAndItsPlace() {
        assertThatThrownBy(() -> load("a: 1\nb:\n  c: ${SECRET}\n", Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessage(directory.resolve("vigil.yaml")
                        + ":3:6: the environment has no variable SECRET, and it has no fallback");
    }

    @Test
    void shouldLeaveCommentsAlone() throws IOException {
        assertThat(load("a: 1 # not ${MISSING}\n", Map.of()).require("a").integer())
                .isEqualTo(1);
    }

    private ConfigNode load(String text, Map<String, String> environment) throws IOException {
        return ConfigDocument.load(Files.writeString(directory.resolve("vigil.yaml"), text), environment);
    }
}
